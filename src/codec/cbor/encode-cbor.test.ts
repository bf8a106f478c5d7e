import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import { bool, bytes, field, float64, int64, json, listOf, mapOf, string, struct } from '../../schema/builders.ts';
import type { Schema, StructSchema } from '../../schema/model.ts';
import { decodeCbor } from './decode-cbor.ts';
import { cborListHead, cborWatchEvent, encodeCbor, encodeCborItem } from './encode-cbor.ts';

const hex = (buffer: Buffer): string => buffer.toString('hex');
const plain = (spaced: string): string => spaced.replaceAll(' ', '');
const hexOf = (text: string): string => Buffer.from(text).toString('hex');

describe('encodeCborItem', () => {
  it.each<[unknown, string]>([
    [0, '00'],
    [23, '17'],
    [24, '18 18'],
    [255, '18 ff'],
    [256, '19 0100'],
    [65_535, '19 ffff'],
    [65_536, '1a 00010000'],
    [4_294_967_295, '1a ffffffff'],
    [4_294_967_296, '1b 0000000100000000'],
    [Number.MAX_SAFE_INTEGER, '1b 001fffffffffffff'],
    [-1, '20'],
    [-24, '37'],
    [-25, '38 18'],
    [-4_294_967_297, '3b 0000000100000000'],
    [Number.MIN_SAFE_INTEGER, '3b 001ffffffffffffe'],
    [1n, '01'],
    [9_223_372_036_854_775_807n, '1b 7fffffffffffffff'],
    [-9_223_372_036_854_775_808n, '3b 7fffffffffffffff'],
    [2 ** 53, '1b 0020000000000000'],
    [2 ** 63, 'fa 5f000000'],
    [-0, 'f9 8000'],
    [1.5, 'f9 3e00'],
    [-4.125, 'f9 c420'],
    [0.00006103515625, 'f9 0400'],
    [2 ** -24, 'f9 0001'],
    [1.5 * 2 ** -24, 'fa 33c00000'],
    [65_504.5, 'fa 477fe080'],
    [1.0009765625, 'f9 3c01'],
    [1.00048828125, 'fa 3f801000'],
    [1.1, 'fb 3ff199999999999a'],
    [1e300, 'fb 7e37e43c8800759c'],
    [5e-324, 'fb 0000000000000001'],
    [true, 'f5'],
    [false, 'f4'],
    [null, 'f6'],
    ['', '40'],
    ['a', '41 61'],
    ['ü', '42 c3bc'],
    ['\ud800', '43 efbfbd'],
    ['x'.repeat(23), `57 ${'78'.repeat(23)}`],
    ['x'.repeat(24), `58 18 ${'78'.repeat(24)}`],
    ['x'.repeat(300), `59 012c ${'78'.repeat(300)}`],
    ['ü'.repeat(12), `58 18 ${'c3bc'.repeat(12)}`],
    ['ü'.repeat(200), `59 0190 ${'c3bc'.repeat(200)}`],
    [[], '80'],
    [[1, undefined, 'a'], '83 01 f6 41 61'],
    [{}, 'a0'],
    [{ b: 1, a: [{}], c: undefined }, 'a2 41 62 01 41 61 81 a0'],
    [JSON.parse('{"__proto__":1}'), `a1 49 ${hexOf('__proto__')} 01`],
  ])('writes %o', (value, expected) => {
    expect(hex(encodeCborItem(value))).toBe(plain(expected));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('rejects %d', (value) => {
    expect(() => encodeCborItem([value])).toThrow(RangeError);
  });

  it('grows the buffer as needed and reuses it', () => {
    const large = { text: 'ü'.repeat(700_000), list: Array.from({ length: 20_000 }, (_, index) => index) };
    expect(decodeCbor(encodeCborItem(large)).value).toEqual(large);
    expect(hex(encodeCborItem('a'))).toBe('4161');
  });

  it('rejects values that are nested too deeply', () => {
    let nested: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    expect(() => encodeCborItem(nested)).toThrow(new DecodeError('exceeded max depth'));
    expect(hex(encodeCborItem(1))).toBe('01');
  });
});

const Tree: StructSchema = struct('test/v1.Tree', () => ({
  data: field(1, mapOf(bytes)),
  children: field(2, listOf(Tree)),
  limit: field(3, float64),
  name: field(4, string),
  inlined: field(5, Inlined, { inline: true }),
  either: field(6, TreeOrBool),
}));
const Inlined = struct('test/v1.Inlined', () => ({
  bundle: field(1, bytes),
  count: field(2, int64),
  any: field(3, json),
}));
const TreeOrBool: StructSchema = struct(
  'test/v1.TreeOrBool',
  () => ({ Allows: field(1, bool), Tree: field(2, Tree, { pointer: true }) }),
  { untagged: true },
);

describe('encodeCborItem with a schema', () => {
  it.each<[string, Schema, unknown, string]>([
    ['bytes', bytes, 'AAEC', 'd6 43 000102'],
    ['no bytes', bytes, '', 'd6 40'],
    ['null for bytes', bytes, null, 'f6'],
    ['bytes in a text with line breaks', bytes, 'AA\nEC', 'd6 43 000102'],
    ['many bytes', bytes, Buffer.alloc(1000, 1).toString('base64'), `d6 59 03e8 ${'01'.repeat(1000)}`],
    ['a whole float', float64, 1, 'f9 3c00'],
    ['a text that looks like bytes', string, 'AAEC', '44 41414543'],
    ['bytes in a map', Tree, { data: { a: 'AQ==' } }, `a1 44 ${hexOf('data')} a1 41 61 d6 41 01`],
    [
      'bytes of an inlined struct',
      Tree,
      { bundle: 'AQ==', count: 1 },
      `a2 46 ${hexOf('bundle')} d6 41 01 45 ${hexOf('count')} 01`,
    ],
    [
      'what any value holds',
      Tree,
      { any: { bundle: 'AQ==' } },
      `a1 43 ${hexOf('any')} a1 46 ${hexOf('bundle')} 44 ${hexOf('AQ==')}`,
    ],
    [
      'types in themselves',
      Tree,
      { children: [{ limit: 2 }] },
      `a1 48 ${hexOf('children')} 81 a1 45 ${hexOf('limit')} f9 4000`,
    ],
    [
      'one of several types',
      Tree,
      { either: { limit: 2 } },
      `a1 46 ${hexOf('either')} a1 45 ${hexOf('limit')} f9 4000`,
    ],
    ['another of them', Tree, { either: true }, `a1 46 ${hexOf('either')} f5`],
    ['fields that it does not know', Tree, { kind: 'Tree' }, `a1 44 ${hexOf('kind')} 44 ${hexOf('Tree')}`],
  ])('writes %s', (_what, schema, value, expected) => {
    expect(hex(encodeCborItem(value, schema))).toBe(plain(expected));
  });
});

describe('encodeCbor', () => {
  it('starts with the self-described CBOR tag', () => {
    expect(hex(encodeCbor({ a: 1 }))).toBe('d9d9f7a1416101');
    expect(hex(encodeCbor({ data: { a: 'AQ==' } }, Tree))).toBe(
      plain(`d9d9f7 a1 44 ${hexOf('data')} a1 41 61 d6 41 01`),
    );
  });
});

describe('cborListHead', () => {
  it('forms a list with the items that follow', () => {
    const value = { kind: 'PodList', metadata: { resourceVersion: '1' }, continue: undefined };
    const head = cborListHead(value, 'items', 300);
    const items = Array.from({ length: 300 }, (_, index) => ({ index }));
    const list = Buffer.concat([head, ...items.map((item) => encodeCborItem(item))]);
    expect(hex(list.subarray(0, 4))).toBe('d9d9f7a3');
    expect(decodeCbor(list).value).toEqual({ kind: 'PodList', metadata: { resourceVersion: '1' }, items });
  });

  it('omits the items of the given list', () => {
    expect(hex(cborListHead({ items: [1] }, 'items', 0))).toBe(`d9d9f7a145${hexOf('items')}80`);
  });
});

describe('cborWatchEvent', () => {
  it('embeds the encoded object', () => {
    const event = cborWatchEvent('ADDED', encodeCbor({ a: 1 }));
    expect(hex(event)).toBe(
      plain(`d9d9f7 a2 44 ${hexOf('type')} 45 ${hexOf('ADDED')} 46 ${hexOf('object')} d9d9f7 a1 41 61 01`),
    );
    expect(decodeCbor(event).value).toEqual({ type: 'ADDED', object: { a: 1 } });
  });
});
