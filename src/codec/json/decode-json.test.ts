import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';

const decode = (text: string) => decodeJson(Buffer.from(text));

describe('values', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":1}\n', { a: 1 }],
    [' { "a" : [ true , false , null , "x" , -1.5e3 ] } ', { a: [true, false, null, 'x', -1500] }],
    ['"\\u0041\\n\\/"', 'A\n/'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\ud800"', '\ufffd'],
    ['{"10":1,"2":2}', { 10: 1, 2: 2 }],
    ['[]', []],
    ['{}', {}],
    ['0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 2 ** 63],
    ['1234567890123456789012345', 1.2345678901234568e24],
  ])('%s', (text, value) => {
    expect(decode(text).value).toEqual(value);
  });

  it('decodes __proto__ as an ordinary key', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{ "__proto__": {"x": 1}}']) {
      const value = decode(text).value as object;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });
});

it('decodes a key correctly regardless of the keys of earlier documents', () => {
  expect(decode('{"a":1,"\\\\":2}').value).toEqual({ a: 1, '\\': 2 });
  expect(decode('{"a":1,"\\n":2}').value).toEqual({ a: 1, '\n': 2 });
});

describe('details that the value does not preserve', () => {
  it('reports duplicate keys in document order and keeps the last value', () => {
    const { value, duplicates, source } = decode('{"a":{"b":1,"c":2,"b":3},"d":[{"e":1,"e":2}],"a":{"x":1}}');
    expect(value).toEqual({ a: { x: 1 }, d: [{ e: 2 }] });
    expect(duplicates).toEqual(['a.b', 'd[0].e', 'a']);
    expect(source?.duplicateKeys.get(value as object)).toEqual(new Set(['a']));
    expect(source?.superseded.get(value as object)?.has('a')).toBe(true);
  });

  it('reports every duplicate of a key', () => {
    expect(decode('{"a":1,"a":2,"a":3}').duplicates).toEqual(['a', 'a']);
  });

  it('keeps the text of numbers', () => {
    const { value, source } = decode('{"a":1.0,"b":[1e3,2]}');
    expect(source?.numberTexts.get(value as object)).toEqual(new Map([['a', '1.0']]));
    expect(source?.numberTexts.get((value as { b: object }).b)).toEqual(new Map([['0', '1e3']]));
  });

  it('reports no details for ordinary documents', () => {
    expect(decode('{ "a": [1, 2.5] }')).toEqual({ value: { a: [1, 2.5] }, duplicates: [], source: undefined });
  });
});

describe('errors', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['tru', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['{}garbage', "invalid character 'g' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['\u001f', "invalid character '\\x1f' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['1e400', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
  ])('%j', (text, message) => {
    expect(() => decode(text)).toThrow(new DecodeError(message));
  });

  it('rejects invalid UTF-8', () => {
    expect(() => decodeJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow('invalid UTF-8 in JSON input');
  });

  it('limits the depth of documents', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect(() => decode(nested(10_000))).not.toThrow();
    expect(() => decode(nested(10_002))).toThrow("invalid character '[' exceeded max depth");
    expect(() => decode(`[${' '.repeat(3)}${nested(10_002)}]`)).toThrow('exceeded max depth');
    expect(() => encodeJson(decode(nested(10_000)).value)).toThrow('exceeded max depth');
  });
});

describe('properties', () => {
  it('decodes the output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const rounded = (_key: string, item: unknown) => (typeof item === 'bigint' ? Number(item) : item);
        expect(JSON.stringify(decode(text).value, rounded)).toBe(JSON.stringify(value));
        expect(decode(text).duplicates).toEqual([]);
      }),
    );
  });

  it('round-trips values', () => {
    const integers = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).filter((value) => !Number.isSafeInteger(Number(value)));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), integers, tie('list'), tie('map')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, (original) => {
        // Compares texts, because a large integer may be decoded as a number that prints the same.
        expect(encodeJson(decode(encodeJson(original)).value)).toBe(encodeJson(structuredClone(original)));
      }),
    );
  });
});
