import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { field, listOf, string, struct } from '../../schema/builders.ts';
import { everyType } from '../../schema/every-type.conformance.ts';
import type { StructSchema } from '../../schema/model.ts';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { decodeJson } from './decode-json.ts';
import { plainObjectReader } from './plain-object.ts';

const Everything: StructSchema = struct('core/v1.Everything', () => ({
  ...everyType(Everything),
  required: field(19, string, { required: true }),
  choice: field(20, string, { enum: ['a', 'b'] }),
  managedFields: field(21, listOf(string)),
  nothing: field(
    22,
    struct('core/v1.Nothing', () => ({})),
  ),
}));
const options = { schema: Everything, kind: 'Everything', apiVersion: 'v1' };
const kind = compileKind(options);
const read = plainObjectReader(options);

interface Decoded {
  readonly object: ResourceObject;
  readonly needsSchemaCheck: boolean;
}

/** Returns the result of the general decoder. Undefined if the document has an error or findings. */
function decodedGenerally(text: string): Decoded | undefined {
  try {
    const { value, source } = decodeJson(Buffer.from(text));
    const findings = new Findings(source);
    const object = kind.normalize(value, findings);
    return findings.texts.length > 0 ? undefined : { object, needsSchemaCheck: findings.needsSchemaCheck };
  } catch {
    return undefined;
  }
}

function expectSame(text: string): Decoded | undefined {
  const plain = read(Buffer.from(text));
  if (plain === undefined) return undefined;
  const general = decodedGenerally(text);
  // The order of fields counts, and so do the properties of objects that are not encoded.
  expect(JSON.stringify(plain)).toBe(JSON.stringify(general));
  expect(isDeepStrictEqual(plain, general)).toBe(true);
  return plain;
}

describe('plainObjectReader', () => {
  it.each([
    '{}',
    '{"kind":"Everything","apiVersion":"v1","string":"x"}',
    ' {\n\t"int32" : 5 ,\r\n "string":"" } \n',
    '{"kind":null,"string":null,"child":null,"children":null}',
    '{"bool":true,"int32":-7,"int64":123456789012345,"float64":3}',
    '{"bool":false,"int32":0,"int64":0,"float64":0}',
    '{"bytes":"aGVsbG8=","time":"2026-01-02T03:04:05Z","microTime":"2026-01-02T03:04:05.000006Z","duration":"60s"}',
    '{"quantity":"1000m","limits":{"memory":"1024Ki","cpu":1},"intOrString":"http"}',
    '{"quantity":2,"intOrString":80}',
    '{"strings":["b","a",""],"labels":{"b":"2","a":"1","10":"x","9":""}}',
    '{"labels":{"constructor":"1","valueOf":""},"limits":{"c":"1","b":"0","a":"2Gi"}}',
    '{"strings":[],"labels":{},"limits":{},"children":[],"child":{"strings":[]}}',
    '{"child":{"child":{"string":"deep","choice":"a"}},"children":[{},{"int32":1},{"int32":2,"string":"s"}]}',
    '{"choice":"c","required":"x"}',
    '{"nothing":{}}',
    '{"string":"with \\"escapes\\" \\n and \\\\","labels":{"a\\"b":"\\t"}}',
    `{"string":"${'long '.repeat(50)}"}`,
  ])('reads %s as the general decoder does', (text) => {
    // Decoded twice, because the reader caches the order of fields.
    expect(expectSame(text)).toBeDefined();
    expect(expectSame(text)).toBeDefined();
  });

  it.each([
    '',
    '[]',
    'null',
    '{',
    '{"string":"x"',
    '{"string":"x"} x',
    '{"string":"x"}\f',
    '{"string":"x",}',
    '{,}',
    '{"string" "x"}',
    '{"strings":["a" "b"]}',
    '{"strings":["a",]}',
    '{"strings":[null]}',
    '{"unknown":1}',
    '{"nothing":{"unknown":1}}',
    '{"string":"x","string":"y"}',
    '{"string":null,"string":null}',
    '{"labels":{"a":"1","a":"2"}}',
    '{"labels":{"b":"1","a":"1","c":"1","a":"2"}}',
    `{"labels":{${Array.from({ length: 65 }, (_, index) => `"${index}":""`)}}}`,
    '{"labels":{"__proto__":"1"}}',
    '{"labels":{"a":null}}',
    '{"labels":{"a":1}}',
    '{"kind":"Other"}',
    '{"kind":""}',
    '{"apiVersion":"v2"}',
    '{"string":1}',
    '{"string":"é"}',
    '{"string":"\\u0061"}',
    '{"string":"\\x"}',
    '{"string":"a\nb"}',
    '{"bool":"true"}',
    '{"bool":tru}',
    '{"bool":nul}',
    '{"int32":1.0}',
    '{"int32":1e2}',
    '{"int32":01}',
    '{"int32":-0}',
    '{"int32":-}',
    '{"int32":3000000000}',
    '{"int64":1234567890123456}',
    '{"time":"2026-01-02T03:04:05.5Z"}',
    '{"time":"yesterday"}',
    '{"quantity":"x"}',
    '{"quantity":true}',
    '{"json":{"a":1}}',
    '{"byName":{"a":{}}}',
    '{"managedFields":[]}',
    '{"managedFields":null}',
    `${'{"child":'.repeat(2000)}{}${'}'.repeat(2000)}`.slice(0, 16_000),
  ])('leaves %s to the general decoder', (text) => {
    expect(read(Buffer.from(text))).toBeUndefined();
  });
});

const { object: objects } = fc.letrec((tie) => ({
  object: fc.record(
    {
      string: fc.string(),
      bool: fc.boolean(),
      int32: fc.oneof(fc.integer(), fc.constant(null)),
      int64: fc.maxSafeInteger(),
      bytes: fc.base64String(),
      quantity: fc.oneof(fc.nat(), fc.constantFrom('1Ki', '0.5', '100m')),
      intOrString: fc.oneof(fc.integer(), fc.string()),
      strings: fc.array(fc.string(), { maxLength: 3 }),
      labels: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
      child: tie('object'),
      children: fc.array(tie('object'), { maxLength: 2 }),
      choice: fc.constantFrom('a', 'b', 'c'),
    },
    { requiredKeys: [] },
  ),
}));

it('reads objects and damaged texts of objects as the general decoder does', () => {
  const damage = fc.tuple(fc.nat(), fc.constantFrom('', '"', '{', '}', ',', ':', '[', ']', ' ', '0', '-', 'n', '\\'));
  fc.assert(
    fc.property(objects, fc.constantFrom(0, 2), fc.option(damage), (object, indent, change) => {
      const text = JSON.stringify(object, undefined, indent);
      const [place, by] = change ?? [0, undefined];
      const at = place % text.length;
      expectSame(by === undefined ? text : text.slice(0, at) + by + text.slice(at + 1));
    }),
    { numRuns: 200 },
  );
});
