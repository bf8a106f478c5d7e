import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, readEnvelope } from '../../src/codec/protobuf/index.ts';
import { DecodeError } from '../../src/meta/decode-error.ts';
import { builtInResources } from '../../src/resources/index.ts';
import type { StructSchema } from '../../src/schema/model.ts';
import { compileKind, Findings } from '../../src/schema/normalize/index.ts';
import { cpuTime } from './cpu-time.ts';

/** The maximum size of a body. */
const bodyLimit = 3 * 1024 * 1024;

const schemaOf = (kind: string): StructSchema => builtInResources.find((resource) => resource.kind === kind)!.schema;

/** Decodes bytes as the server does. Errors other than `DecodeError` are thrown. */
function survives(schema: StructSchema, bytes: Buffer): 'read' | string {
  try {
    compileKind({ schema, kind: 'Any', apiVersion: 'v1' }).normalize(decodeMessage(schema, bytes), new Findings());
    return 'read';
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

it('reads or refuses any bytes in an envelope', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
      const body = Buffer.concat([Buffer.from('6b387300', 'hex'), content]);
      try {
        survives(schemaOf('Pod'), readEnvelope(body).raw);
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
    }),
    { numRuns: 1_000 },
  );
});

/** Repeats the unit up to the maximum size of a body. */
const filled = (unit: Buffer): Buffer => Buffer.alloc(bodyLimit - (bodyLimit % unit.length), unit);

const tooMany = 'the document has more than 50000 values';

describe('a body of full size', () => {
  it.each([
    ['groups in groups', 'Pod', filled(Buffer.from([0x7b])), 'unexpected EOF'],
    ['messages in messages', 'CustomResourceDefinition', filled(Buffer.from('12ffffff7f', 'hex')), 'unexpected EOF'],
    ['one field again and again', 'ConfigMap', filled(Buffer.from('0a040a026161', 'hex')), tooMany],
    ['one map entry again and again', 'ConfigMap', filled(Buffer.from('12030a0161', 'hex')), tooMany],
    ['an object of many parts', 'ConfigMap', filled(Buffer.from('0a00', 'hex')), tooMany],
    ['many small unknown fields', 'ConfigMap', filled(Buffer.from('7801', 'hex')), tooMany],
  ])('takes, for %s, no longer than its size explains', (_name, kind, bytes, outcome) => {
    const start = process.cpuUsage();
    expect(survives(schemaOf(kind), bytes)).toBe(outcome);
    expect(cpuTime(start)).toBeLessThan(20_000);
  });

  it('is refused when it has too many empty elements', () => {
    const spec = (containers: Buffer) => Buffer.concat([field(2, containers.length), containers]);
    expect(survives(schemaOf('Pod'), spec(filled(Buffer.from([0x12, 0x00]))))).toBe(tooMany);
    expect(survives(schemaOf('Pod'), spec(Buffer.alloc(20_000, Buffer.from([0x12, 0x00]))))).toBe('read');
  });

  it('is refused without filling the stack when it has schemas in schemas', () => {
    // Schemas that are nested in the field `not`.
    let schema = Buffer.alloc(0);
    for (let level = 0; level < 5_000; level++) schema = Buffer.concat([field(28, schema.length), schema]);
    const version = Buffer.concat([field(1, schema.length), schema]);
    const validation = Buffer.concat([field(4, version.length), version]);
    const versions = Buffer.concat([field(7, validation.length), validation]);
    const definition = Buffer.concat([field(2, versions.length), versions]);
    const outcome = survives(schemaOf('CustomResourceDefinition'), definition);
    expect(outcome).toBe('proto: exceeded maximum recursion depth');
  });
});

/** The tag and the length of a message field. */
function field(number: number, length: number): Buffer {
  return Buffer.from([...varint((number << 3) | 2), ...varint(length)]);
}

function varint(value: number): number[] {
  return value > 0x7f ? [(value & 0x7f) | 0x80, ...varint(value >>> 7)] : [value];
}
