import { decode, encode, type TagDecoder } from 'cborg';
import fc from 'fast-check';
import { dump, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { decodeCbor, encodeCbor } from '../../src/codec/cbor/index.ts';
import { encodeJson } from '../../src/codec/json/index.ts';
import { decodeMessage, encodeMessage } from '../../src/codec/protobuf/index.ts';
import { decodeYaml, encodeYaml } from '../../src/codec/yaml/index.ts';
import type { ResourceObject } from '../../src/meta/object.ts';
import { isLong } from '../is-long.ts';
import { canonical } from './encodings.ts';
import { everyKindOfField } from './every-kind-of-field.ts';
import { expectSame } from './expect-same.ts';
import { generateObject } from './generated-object.ts';
import { kinds } from './kinds.ts';
import { decodeReflected, encodeReflected } from './reflected-message.ts';

// Other implementations decode what the server encodes, and the other way round.

/** The number of runs per kind and property. The seed and density of a failure are printed. */
const numRuns = isLong ? 5 : 1;

const seeds = fc.noShrink(fc.integer());
/** One in eight objects has every field set. */
const densities = fc.integer({ min: 3, max: 10 }).map((tenths) => tenths / 10);

/** Matches integer keys. JavaScript puts them in another order. */
const indexKey = /"\d+":/;

describe.each([...kinds.values()])('$schema.name', (kind) => {
  const { schema } = kind;
  // Only this kind has lists of all types of numbers. Creating the protobufjs types takes longer than the rest of the
  // test.
  const packings = isLong || schema === everyKindOfField ? [true, false] : [false];
  const forAll = (check: (object: ResourceObject) => void): void => {
    const generated = (seed: number, density: number): void =>
      check(canonical(kind, generateObject(schema, { seed, density })).object);
    fc.assert(fc.property(seeds, densities, generated), { numRuns });
  };
  const expectMeans = (value: unknown, object: ResourceObject): void =>
    expectSame(canonical(kind, value).object, object);

  it('is read by protobufjs, and from its bytes', () => {
    forAll((object) => {
      expectMeans(decodeReflected(schema, encodeMessage(schema, object)), object);
      for (const packed of packings) {
        expectMeans(decodeMessage(schema, encodeReflected(schema, object, { packed, zeros: false })), object);
      }
    });
  });

  it('is written as by protobufjs with the zero values of Go', () => {
    forAll((object) => {
      if (indexKey.test(encodeJson(object))) return;
      const expected = encodeReflected(schema, object, { packed: false, zeros: true });
      expect(encodeMessage(schema, object).toString('hex')).toBe(expected.toString('hex'));
    });
  });

  it('is read by cborg, and from its bytes', () => {
    forAll((object) => {
      expectMeans(decodeWithCborg(encodeCbor(object, schema)), object);
      expectMeans(decodeCbor(encodeWithCborg(object)).value, object);
    });
  });

  it('is read by js-yaml, and from its text', () => {
    forAll((object) => {
      const value = plain(object);
      expectSame(load(encodeYaml(value)), value);
      expectSame(decodeYaml(Buffer.from(dump(value))).value, value);
    });
  });
});

/** js-yaml supports only integers that are JavaScript numbers, and only the line breaks of YAML 1.2. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return value.replaceAll(/[\u0085\u2028\u2029]/g, '\n');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, element]) => element !== undefined);
  return Object.fromEntries(entries.map(([key, element]) => [plain(key), plain(element)]));
}

/** Encodes a value with another encoder. Keys and strings are text strings, where the server uses byte strings. */
function encodeWithCborg(value: unknown): Buffer {
  return Buffer.from(encode(value, { ignoreUndefinedProperties: true }));
}

/** Decodes bytes with another decoder. Returns the JSON form. */
function decodeWithCborg(bytes: Buffer): unknown {
  return jsonOf(decode(bytes, { useMaps: true, tags }));
}

const tags: Readonly<Record<number, TagDecoder>> = {
  22: (content) => Buffer.from(content() as Uint8Array).toString('base64'),
  // The tag of self-described CBOR.
  55799: (content) => content(),
};

function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(Array.from(value, ([key, element]) => [jsonOf(key), jsonOf(element)]));
}
