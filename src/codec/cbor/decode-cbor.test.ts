import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import { CborContentError } from './cbor-content-error.ts';
import { decodeCbor, mapElementIndex } from './decode-cbor.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const decode = (hex: string): unknown => decodeCbor(bytes(hex)).value;
const text = (content: string): string =>
  Buffer.concat([Buffer.from([0x78, content.length]), Buffer.from(content)]).toString('hex');

const notAccepted = (what: string) => `cbor: data item of cbor type ${what}`;
const bignum = notAccepted('tag is not accepted by protocol: bignum');
const infinity = notAccepted('primitives is not accepted by protocol: floating-point infinity');
const notANumber = notAccepted('primitives is not accepted by protocol: floating-point NaN');
const simple = (value: number) =>
  notAccepted(`primitives is not accepted by protocol: simple value ${value} is not recognized`);
const overflow = (type: string, value: string) =>
  `cbor: cannot unmarshal ${type} integer into Go value of type int64 (${value} overflows Go's int64)`;

/** The examples of RFC 8949, appendix A. */
const accepted: readonly [string, unknown][] = [
  ['00', 0],
  ['01', 1],
  ['0a', 10],
  ['17', 23],
  ['18 18', 24],
  ['18 19', 25],
  ['18 64', 100],
  ['19 03e8', 1000],
  ['1a 000f4240', 1_000_000],
  ['1b 000000e8d4a51000', 1_000_000_000_000],
  ['20', -1],
  ['29', -10],
  ['38 63', -100],
  ['39 03e7', -1000],
  ['f9 0000', 0],
  ['f9 8000', -0],
  ['f9 3c00', 1],
  ['fb 3ff199999999999a', 1.1],
  ['f9 3e00', 1.5],
  ['f9 7bff', 65_504],
  ['fa 47c35000', 100_000],
  ['fa 7f7fffff', 3.4028234663852886e38],
  ['fb 7e37e43c8800759c', 1e300],
  ['f9 0001', 2 ** -24],
  ['f9 0400', 0.00006103515625],
  ['f9 c400', -4],
  ['fb c010666666666666', -4.1],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['c0 74 323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
  ['c1 1a 514b67b0', '2013-03-21T20:04:00Z'],
  ['c1 fb 41d452d9ec200000', '2013-03-21T20:04:00.5Z'],
  ['d7 44 01020304', '01020304'],
  ['d8 18 45 6449455446', 'dIETF'],
  ['d8 20 76 687474703a2f2f7777772e6578616d706c652e636f6d', 'http://www.example.com'],
  ['40', ''],
  ['44 01020304', '\u0001\u0002\u0003\u0004'],
  ['60', ''],
  ['61 61', 'a'],
  ['64 49455446', 'IETF'],
  ['62 225c', '"\\'],
  ['62 c3bc', 'ü'],
  ['63 e6b0b4', '水'],
  ['64 f0908591', '\u{10151}'],
  ['80', []],
  ['83 010203', [1, 2, 3]],
  ['83 01 820203 820405', [1, [2, 3], [4, 5]]],
  ['98 19 0102030405060708090a0b0c0d0e0f101112131415161718181819', Array.from({ length: 25 }, (_, index) => index + 1)],
  ['a0', {}],
  ['a2 6161 01 6162 820203', { a: 1, b: [2, 3] }],
  ['82 6161 a1 6162 6163', ['a', { b: 'c' }]],
  ['a5 61616141 61626142 61636143 61646144 61656145', { a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' }],
  ['5f 42 0102 43 030405 ff', '\u0001\u0002\u0003\u0004\u0005'],
  ['7f 65 7374726561 64 6d696e67 ff', 'streaming'],
  ['9f ff', []],
  ['9f 01 820203 9f 0405 ff ff', [1, [2, 3], [4, 5]]],
  ['9f 01 820203 820405 ff', [1, [2, 3], [4, 5]]],
  ['83 01 820203 9f 0405 ff', [1, [2, 3], [4, 5]]],
  ['bf 6161 01 6162 9f 0203 ff ff', { a: 1, b: [2, 3] }],
  ['82 6161 bf 6162 6163 ff', ['a', { b: 'c' }]],
  ['bf 6346756e f5 63416d74 21 ff', { Fun: true, Amt: -2 }],
];

const refused: readonly [string, string][] = [
  ['1b ffffffffffffffff', overflow('positive', '18446744073709551615')],
  ['c2 49 010000000000000000', bignum],
  ['3b ffffffffffffffff', overflow('negative', '-18446744073709551616')],
  ['c3 49 010000000000000000', bignum],
  ['f9 7c00', infinity],
  ['f9 7e00', notANumber],
  ['f9 fc00', infinity],
  ['fa 7f800000', infinity],
  ['fa 7fc00000', notANumber],
  ['fa ff800000', infinity],
  ['fb 7ff0000000000000', infinity],
  ['fb 7ff8000000000000', notANumber],
  ['fb fff0000000000000', infinity],
  ['f7', simple(23)],
  ['f0', simple(16)],
  ['f8 ff', simple(255)],
];

describe('decodeCbor', () => {
  it.each(accepted)('accepts %s', (hex, value) => {
    expect(decode(hex)).toStrictEqual(value);
  });

  it.each(refused)('rejects %s', (hex, message) => {
    expect(() => decodeCbor(bytes(hex))).toThrow(new DecodeError(message));
  });

  it('skips integer keys of the outermost map, because they can only be unknown fields', () => {
    expect(decodeCbor(bytes('a2 01 02 03 04'))).toMatchObject({ value: {}, integerKeys: [0, 1] });
  });

  it.each<[string, string, unknown]>([
    ['the tag of CBOR itself', 'd9d9f7 a1 41 61 d9d9f7 01', { a: 1 }],
    ['byte strings as keys', 'a1 43 c3bc62 01', { üb: 1 }],
    ['keys in pieces', 'a1 5f 41 61 41 62 ff 01', { ab: 1 }],
    ['a character that is cut into two byte strings', '5f 41 c3 41 bc ff', 'ü'],
    ['base64 for the tag that asks for it', 'd6 43 fffeff', '//7/'],
    ['base64 with padding', 'd6 41 ff', '/w=='],
    ['base64url, which has no padding', 'd5 44 fffeff41', '__7_QQ'],
    ['base64 of pieces', 'd6 5f 41 00 42 0102 ff', 'AAEC'],
    ['text below such a tag as it is', 'd6 61 61', 'a'],
    ['all bytes below such a tag', 'd6 82 41 00 a1 41 62 41 01', ['AA==', { b: 'AQ==' }]],
    ['the nearest of such tags', 'd7 82 41 00 d6 81 41 01', ['00', ['AQ==']]],
    ['what follows such a tag without it', '82 d6 41 00 41 61', ['AA==', 'a']],
    ['tags without a meaning', 'd9 0100 db ffffffffffffffff 01', 1],
    ['a time with zone and decimals', `c0 ${text('2020-01-02T03:04:05.5+02:00')}`, '2020-01-02T03:04:05.5+02:00'],
    ['a time before 1970', 'c1 20', '1969-12-31T23:59:59Z'],
    ['a time before 1970 with decimals', 'c1 f9 be00', '1969-12-31T23:59:58.5Z'],
    ['the largest int64', '1b 7fffffffffffffff', 9_223_372_036_854_775_807n],
    ['the smallest int64', '3b 7fffffffffffffff', -9_223_372_036_854_775_808n],
    ['the largest exact number', '1b 001fffffffffffff', Number.MAX_SAFE_INTEGER],
    ['the smallest exact number', '3b 001ffffffffffffe', Number.MIN_SAFE_INTEGER],
    ['the integer below it', '3b 001fffffffffffff', -9_007_199_254_740_992n],
    ['heads that are longer than they have to be', 'ba 00000001 59 0001 61 1b 0000000000000001', { a: 1 }],
    ['the replacement character itself', '63 efbfbd', '\ufffd'],
    ['it in pieces', '7f 63 efbfbd 60 ff', '\ufffd'],
    ['a byte order mark', '64 efbbbf61', '\ufeffa'],
    [
      'what objects have by themselves',
      'a2 6b 636f6e7374727563746f72 01 69 5f5f70726f746f5f5f 02',
      JSON.parse('{"constructor":1,"__proto__":2}'),
    ],
  ])('accepts %s', (_what, hex, value) => {
    expect(decode(hex)).toStrictEqual(value);
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'EOF'],
    ['a break code', 'ff', 'cbor: unexpected "break" code'],
    ['a break code instead of a value', 'bf 6161 ff', 'cbor: unexpected "break" code'],
    ['a break code in an array of known length', '81 ff', 'cbor: unexpected "break" code'],
    ['a second item', 'a0 01', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['reserved heads', '1c', 'cbor: invalid additional information 28 for type positive integer'],
    ['an integer without length', '3f', 'cbor: invalid additional information 31 for type negative integer'],
    ['a tag without number', 'df', 'cbor: invalid additional information 31 for type tag'],
    ['a simple value that is short', 'f8 14', 'cbor: invalid simple value 20 for type primitives'],
    ['a tag of nothing', 'c6', 'unexpected EOF'],
    ['half a head', '19 01', 'unexpected EOF'],
    ['half a string', '62 61', 'unexpected EOF'],
    ['half an array', '82 01', 'unexpected EOF'],
    ['half a pair', 'a1 6161', 'unexpected EOF'],
    ['an endless array', '9f 01', 'unexpected EOF'],
    ['an endless string', '5f 41 61', 'unexpected EOF'],
    ['a string that is longer than all memory', '5b 0fffffffffffffff', 'unexpected EOF'],
    ['an array that is longer than all memory', '9b 0fffffffffffffff 01', 'unexpected EOF'],
    [
      'a length without end',
      '5b 8000000000000000',
      'cbor: byte string length 9223372036854775808 is too large, causing integer overflow',
    ],
    [
      'a map without end',
      'bb ffffffffffffffff',
      'cbor: map length 18446744073709551615 is too large, it would cause integer overflow',
    ],
    [
      'a text in pieces of bytes',
      '7f 41 61 ff',
      'cbor: wrong element type byte string for indefinite-length UTF-8 text string',
    ],
    ['pieces in pieces', '5f 5f 41 61 ff ff', 'cbor: indefinite-length byte string chunk is not definite-length'],
    ['text that is no UTF-8', '61 ff', 'cbor: invalid UTF-8 string'],
    ['bytes that are no UTF-8', '43 61ff62', 'cbor: invalid UTF-8 string'],
    ['a character that is cut into two texts', '7f 61 c3 61 bc ff', 'cbor: invalid UTF-8 string'],
    ['a key that is no UTF-8', 'a1 61 ff 01', 'cbor: invalid UTF-8 string'],
    ['a key twice', 'a2 6161 01 6161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    [
      'a key as text and as bytes',
      'a3 6161 01 6162 01 4161 02',
      'cbor: found duplicate map key "a" at map element index 2',
    ],
    ['an integer as a key twice', 'a2 01 01 01 02', 'cbor: found duplicate map key "1" at map element index 1'],
    [
      'an array as a key',
      'a1 80 01',
      'cbor: cannot unmarshal array into Go value of type string (map key is of type array and cannot be used to match struct field name)',
    ],
    [
      'text as an epoch',
      'c1 61 61',
      'cbor: tag number 1 must be followed by integer or floating-point number, got UTF-8 text string',
    ],
    ['bytes as a time', 'c0 41 61', 'cbor: tag number 0 must be followed by text string, got byte string'],
    ['a tag as a time', 'c0 c6 61 61', 'cbor: tag number 0 must be followed by text string, got tag'],
    [
      'text that is no time',
      'c0 61 61',
      'cbor: cannot set a for time.Time: parsing time "a" as "2006-01-02T15:04:05Z07:00": cannot parse "a" as "2006"',
    ],
    [
      'a time of the year 10000',
      'c1 1b 0000003afff44180',
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]',
    ],
  ])('rejects %s', (_what, hex, message) => {
    expect(() => decodeCbor(bytes(hex))).toThrow(new DecodeError(message));
    expect(() => decodeCbor(bytes(hex))).not.toThrow(CborContentError);
  });

  it.each<[string, string, string]>([
    ['a key twice', 'a2 6161 01 6161 02', 'cbor: found duplicate map key "a" at map element index 1'],
    ['an integer as a key', 'a1 01 02', 'cbor: cannot unmarshal positive integer into Go value of type string'],
    ['a map as a key', 'a1 a1616101 02', 'cbor: cannot unmarshal map into Go value of type string'],
    ['undefined', 'f7', simple(23)],
    ['an integer that is too large', '1b 8000000000000000', overflow('positive', '9223372036854775808')],
    ['text that is no UTF-8', '61 ff', 'cbor: invalid UTF-8 string'],
    ['bytes as a time', 'c0 41 61', 'cbor: tag number 0 must be followed by text string, got byte string'],
  ])('reports the kind of an object that contains %s', (_what, hex, message) => {
    const body = bytes(`a2 6161 ${hex} 64 6b696e64 63 506f64`);
    expect(() => decodeCbor(body)).toThrow(expect.objectContaining({ name: 'CborContentError', message, kind: 'Pod' }));
  });

  it('checks well-formedness first, then the outermost keys, then the rest', () => {
    const inside = '6161 f7';
    expect(() => decode(`a1 ${inside}`)).toThrow(simple(23));
    expect(() => decode(`a3 ${inside} 6162 01 6162 02`)).toThrow('cbor: found duplicate map key "b"');
    expect(() => decode(`a3 ${inside} 6162 01 6162`)).toThrow('unexpected EOF');
    expect(() => decode(`a3 ${inside} 6162 01 6162 02 00`)).toThrow('cbor: 1 bytes of extraneous data');
  });

  it('distinguishes floats from integers', () => {
    const { value, source } = decodeCbor(
      bytes('a4 6161 f93c00 6162 01 6163 83 01 f98000 fb4415af1d78b58c40 6164 f93e00'),
    );
    const { c } = value as { c: object };
    expect(source?.numberTexts.get(value as object)).toEqual(new Map([['a', '1.0']]));
    expect(source?.numberTexts.get(c)).toEqual(
      new Map([
        ['1', '-0.0'],
        ['2', '100000000000000000000.0'],
      ]),
    );
    expect(decodeCbor(bytes('a1 6164 f93e00')).source).toBeUndefined();
    expect(decodeCbor(bytes('a1 01 f93c00')).source).toBeUndefined();
  });

  it('reports the type of the item', () => {
    const types = ['c6 80', 'c1 01', '41 61', 'f6'].map((hex) => decodeCbor(bytes(hex)).type);
    expect(types).toEqual(['array', 'positive integer', 'byte string', 'primitives']);
  });

  it('returns the index of a key in its map', () => {
    const decoded = decodeCbor(bytes('a4 6162 01 05 00 6131 a2 6163 00 6130 00 6161 03'));
    const value = decoded.value as Record<string, object>;
    expect(Object.keys(value)).toEqual(['1', 'b', 'a']);
    expect(['b', '1', 'a', 'z'].map((key) => mapElementIndex(decoded, value, key))).toEqual([0, 2, 3, -1]);
    expect(['c', '0'].map((key) => mapElementIndex(decoded, value['1']!, key))).toEqual([0, 1]);
  });

  it.each([
    ['arrays', '81', '80'],
    ['arrays without length', '9f', ''],
    ['maps', 'a14161', 'a0'],
    ['tags', 'c6', '01'],
  ])('rejects %s that are nested too deeply', (_what, head, end) => {
    const nested = (count: number): Buffer => bytes(head.repeat(count) + end + (end === '' ? 'ff'.repeat(count) : ''));
    expect(() => decodeCbor(nested(100_000))).toThrow(new DecodeError('cbor: exceeded max nested level 10000'));
    expect(() => decodeCbor(nested(9_999))).not.toThrow();
  });

  it.each([
    ['a string in very many pieces', '5f', '40'],
    ['a text in very many pieces', '7f', '6161'],
    ['very many empty maps', '9f', 'a0'],
    ['very many strings without pieces', '9f', '5fff'],
    ['very many texts in one piece', '9f', '7f6161ff'],
    ['very many texts that are not ASCII', '9f', '62c3bc'],
    ['an object of which every key is twice', 'bf', '416101'],
  ])('stops early for %s', (_what, head, repeated) => {
    const body = bytes(`${head}${repeated.repeat(600_000 / repeated.length)}`);
    expect(() => decodeCbor(body)).toThrow(
      /^(unexpected EOF|the document has more than|an object in the document has)/,
    );
  });
});
