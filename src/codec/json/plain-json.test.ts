import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decodeJson } from './decode-json.ts';
import { type ExactJson, parseExactly } from './parse-exactly.ts';
import { isPlainJson } from './plain-json.ts';

const isPlain = (text: string) => isPlainJson(Buffer.from(text));
const manyKeys = (count: number) => Array.from({ length: count }, (_, index) => `"key-${index}":${index}`);
const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

describe('plain documents', () => {
  test.each([
    '{}',
    ' [ ] ',
    '{"a":{"a":{"a":1},"b":[{"a":1},{"a":2}]}}',
    '{"b":[1,"a","a"],"a":"b","c":"a"}',
    '{"__proto__":1,"constructor":2,"":3}',
    '{"ключ":1,"ключи":2,"😀":"😀"}',
    '[0,-1,999999999999999,9007199254740991,-9007199254740991,2.5,-0.25,1e-7,true,false,null]',
    '["\\u003c\\u0041\\u00D8\\ud7ff","\\\\ud800","\\\\\\\\","\\"","a\\"b"]',
    `["${'x'.repeat(100)}\\"${'y'.repeat(100)}\\n${'z'.repeat(31)}\\\\","${'w'.repeat(32)}"]`,
    `{"a":"${'x'.repeat(200)}","b":"${'x'.repeat(200)}","c":"\\t"}`,
    nested(500),
    `[{${manyKeys(17)}},{${manyKeys(17)}},{"deep":{${manyKeys(9000)}},"key-1":1}]`,
  ])('%.60s', (text) => {
    expect(isPlain(text)).toBe(true);
    expect(isPlain(JSON.stringify(JSON.parse(text), undefined, 4))).toBe(true);
  });
});

describe('documents that are not plain', () => {
  test.each([
    '{"a":1,"a":1}',
    '{ "a" : {} , "b" : [ { } ] , "a" : 1 }',
    '[{"x":{"a":{"b":1},"c":[{}],"a":2}}]',
    '{"a\\"":1,"a\\"":2}',
    '{"a":1,"\\u0061":2}',
    '{"k:{\\"a\\":1}":2}',
    '{"":1,"\\n":2}',
    '{"a/b":1,"a\\/b":2}',
    `{${manyKeys(16)},"key-15":1}`,
    `{${manyKeys(17)},"key-0":1}`,
    `{${manyKeys(9000)},"key-4500":1}`,
    '[-0]',
    '[1.0]',
    '[1e3]',
    '[1E3]',
    '[1e400]',
    '[0.10]',
    '[9007199254740992]',
    '[9007199254740993]',
    '[-9223372036854775808]',
    '[12345678901234567890123]',
    '"\\ud800"',
    '"\\uDFFF"',
    `"${'x'.repeat(100)}\\uDabc"`,
    nested(502),
    '{"a',
    `"${'x'.repeat(100)}`,
    `"${'x'.repeat(100)}\\`,
    '{"a\\',
    ']',
  ])('%.60s', (text) => {
    expect(isPlain(text)).toBe(false);
  });
});

it('searches no byte twice', () => {
  // If every string were searched to the end of the document, this would scan 80,000 times 3 MB.
  const text = `[${`"${'x'.repeat(33)}",`.repeat(80_000)}"\\n"]`;
  expect(isPlain(text)).toBe(true);
});

const layouts: Readonly<Record<string, (tokens: readonly string[]) => string>> = {
  compact: (tokens) => tokens.join(''),
  spaced: (tokens) => tokens.join(' '),
  indented: (tokens) => tokens.map((token) => (/[[{,]/.test(token[0]!) ? `${token}\n\t    ` : token)).join(''),
};

/** Several ways to write each of a few characters, so that duplicate keys may differ in their escapes. */
const spellings = ['a', '\\u0061', '/', '\\/', '\\"', '\\u0022', '\\\\', '\\n', 'é', '\\u00e9', '😀', '\\ud83d\\ude00'];
const halves = ['\\ud83d', '\\uDE00', 'x'.repeat(40)];
const textOf = (characters: readonly string[]) => fc.array(fc.constantFrom(...characters), { maxLength: 3 });
const quoted = (characters: readonly string[]) => [`"${characters.join('')}"`];
const key = fc.oneof(
  textOf(spellings).map(quoted),
  fc.constantFrom('__proto__', '1', '0', 'toString').map((text) => quoted([text])),
);
const numbers = ['0', '-0', '7', '-7', '1.0', '1e3', '2.5', '1E-2', '0.1', '-0.0', '1e22', '1e+21'];
const number = fc.oneof(
  fc.constantFrom(...numbers).map((text) => [text]),
  fc.bigInt(-(2n ** 70n), 2n ** 70n).map((value) => [String(value)]),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => [JSON.stringify(value)]),
);

const separated = (items: readonly (readonly string[])[]) =>
  items.flatMap((item, index) => (index === 0 ? item : [',', ...item]));
const { document } = fc.letrec<{ document: string[]; list: string[]; object: string[] }>((tie) => ({
  document: fc.oneof(
    fc.constantFrom('true', 'false', 'null').map((text) => [text]),
    textOf([...spellings, ...halves]).map(quoted),
    number,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('document'), { maxLength: 4 }).map((items) => ['[', ...separated(items), ']']),
  object: fc
    .array(fc.tuple(key, tie('document')), { maxLength: 4 })
    .map((fields) => ['{', ...separated(fields.map(([name, value]) => [...name, ':', ...value])), '}']),
}));

describe.each(Object.entries(layouts))('a %s document', (_name, layout) => {
  it('has the same result as with the exact parser', () => {
    let plain = 0;
    let other = 0;
    fc.assert(
      fc.property(document, (tokens) => {
        const text = layout(tokens);
        if (isPlain(text)) plain++;
        else other++;
        expect(described(decodeJson(Buffer.from(text)))).toEqual(described(parseExactly(text)));
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(plain, other)).toBeGreaterThan(100);
  });

  it('has the same result or error as with the exact parser when it is damaged', () => {
    const outcome = (read: () => ExactJson) => {
      try {
        return described(read());
      } catch (error) {
        return String(error);
      }
    };
    const damage = fc.record({ at: fc.nat(), byte: fc.constantFrom(...'{}[]:,"\\u0-+.e \n') });
    fc.assert(
      fc.property(document, damage, fc.boolean(), (tokens, { at, byte }, isCut) => {
        const text = layout(tokens);
        const place = at % (text.length + 1);
        const damaged =
          text.slice(0, place).toWellFormed() + (isCut ? '' : byte + text.slice(place + 1).toWellFormed());
        expect(outcome(() => decodeJson(Buffer.from(damaged)))).toEqual(outcome(() => parseExactly(damaged)));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Everything in a result, including the order of keys. Details about an object are listed with the object. */
function described({ value, duplicates, source }: ExactJson): unknown {
  const describe = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    const fields = Object.entries(item).map(([name, member]) => [name, describe(member)]);
    const { prototype } = Array.isArray(item) ? Array : Object;
    expect(Object.getPrototypeOf(item)).toBe(prototype);
    return [fields, source?.duplicateKeys.get(item), source?.numberTexts.get(item)];
  };
  return { value: describe(value), duplicates, isNoted: source !== undefined };
}
