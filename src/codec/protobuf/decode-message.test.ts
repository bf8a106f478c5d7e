import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import {
  bool,
  bytes as bytesType,
  duration,
  field,
  fieldsV1,
  float64,
  int32,
  int64,
  intOrString,
  json,
  listOf,
  mapOf,
  microTime,
  namedList,
  quantity,
  rawExtension,
  string,
  struct,
  time,
  uint32,
} from '../../schema/builders.ts';
import type { Schema } from '../../schema/model.ts';
import { decodeMessage } from './decode-message.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const text = (content: string): string => {
  const encoded = Buffer.from(content).toString('hex');
  return (encoded.length / 2).toString(16).padStart(2, '0') + encoded;
};

const Point = struct('test/v1.Point', () => ({ x: field(1, int32), y: field(2, int32) }));
const Tree = struct('test/v1.Tree', () => ({
  name: field(1, string),
  get child() {
    return field(2, Tree);
  },
}));
const ObjectOrBool = struct(
  'test/v1.ObjectOrBool',
  () => ({ Allows: field(1, bool), Schema: field(2, Point, { pointer: true }) }),
  { untagged: true },
);
const ObjectOrList = struct(
  'test/v1.ObjectOrList',
  () => ({ Schema: field(1, Point, { pointer: true }), Items: field(2, listOf(string)) }),
  { untagged: true },
);

/** A message whose field 1 is of the type. */
const holding = (schema: Schema, options = {}) => struct('test/v1.Box', () => ({ v: field(1, schema, options) }));

describe('decodeMessage', () => {
  it.each<[string, Schema, string, unknown]>([
    ['a string', string, `0a ${text('grün')}`, 'grün'],
    ['an empty string', string, '0a00', ''],
    ['a replacement character', string, '0a03 efbfbd', '\ufffd'],
    ['the last of two', string, `0a ${text('a')} 0a ${text('b')}`, 'b'],
    ['false', bool, '0800', false],
    ['true', bool, '0801', true],
    ['true by any bit', bool, '08808080808010', true],
    ['a negative int32', int32, '08ffffffffffffffffff01', -1],
    ['an int32 by its lower half', int32, '088080808010', 0],
    ['a uint32', uint32, '08ffffffff0f', 4294967295],
    ['a long int64', int64, '08ffffffffffffff0f', Number.MAX_SAFE_INTEGER],
    ['a longer int64', int64, '088080808080808010', 2n ** 53n],
    ['the largest int64', int64, '08ffffffffffffffff7f', 2n ** 63n - 1n],
    ['the smallest int64', int64, '0880808080808080808001', -(2n ** 63n)],
    ['a float', float64, '09 000000000000f83f', 1.5],
    ['bytes', bytesType, '0a03 0001ff', 'AAH/'],
    ['a time', time, '0a08 08f0f381af06 1005', '2024-02-29T12:34:56Z'],
    ['the zero time', time, '0a00', null],
    ['1970', time, '0a04 0800 1000', '1970-01-01T00:00:00Z'],
    ['a time before 1970', time, '0a0b 08ffffffffffffffffff01', '1969-12-31T23:59:59Z'],
    ['a time with microseconds', microTime, '0a06 0801 10d0a84b', '1970-01-01T00:00:01.001234Z'],
    ['nanoseconds, cut off', microTime, '0a05 0801 10cf0f', '1970-01-01T00:00:01.000001Z'],
    ['nanoseconds to carry', microTime, '0a08 0801 1080dea0cb05', '1970-01-01T00:00:02.500000Z'],
    ['negative nanoseconds', microTime, '0a0d 0801 1098f8ffffffffffffff01', '1970-01-01T00:00:00.999999Z'],
    ['a duration', duration, '0a07 0880d2e191d102', '1m30.5s'],
    ['no duration', duration, '0a00', '0s'],
    ['a quantity', quantity, `0a06 0a ${text('100m')}`, '100m'],
    ['the zero quantity', quantity, '0a00', '0'],
    ['a number of two', intOrString, '0a06 0800 1050 1a00', 80],
    ['a string of two', intOrString, `0a08 0801 1000 1a ${text('50')}`, '50'],
    ['neither', intOrString, '0a00', 0],
    ['an embedded object', rawExtension, `0a09 0a ${text('{"a":1}')}`, { a: 1 }],
    ['no embedded object', rawExtension, '0a00', null],
    ['an empty embedded object', rawExtension, '0a02 0a00', null],
    ['field paths', fieldsV1, `0a0d 0a ${text('{"f:a":{}} ')}`, { 'f:a': {} }],
    ['any JSON', json, `0a05 0a ${text('[1]')}`, [1]],
    ['an integer that only a bigint holds', json, `0a13 0a ${text('9007199254740993 ')}`, 9007199254740993n],
    ['a list of strings', listOf(string), `0a ${text('a')} 0a00 0a ${text('b')}`, ['a', '', 'b']],
    ['numbers one by one', listOf(int32), '0801 0802', [1, 2]],
    ['numbers in a row', listOf(int32), '0a03 018001 0803 0a00', [1, 128, 3]],
    ['floats in a row', listOf(float64), '0a10 000000000000f83f 0000000000000000', [1.5, 0]],
    ['a list of messages', listOf(Point), '0a02 0801 0a00', [{ x: 1 }, {}]],
    ['a list that is a type', namedList('test/v1.Names', string), `0a06 0a ${text('a')} 0a ${text('b')}`, ['a', 'b']],
    ['an empty list that is a type', namedList('test/v1.Names', string), '0a00', []],
    ['a map', mapOf(string), `0a06 0a ${text('k')} 12 ${text('v')} 0a05 0a ${text('l')} 1200`, { k: 'v', l: '' }],
    ['a map entry without key or value', mapOf(string), '0a00', { '': null }],
    ['a value before its key', mapOf(string), `0a06 12 ${text('v')} 0a ${text('k')}`, { k: 'v' }],
    ['a key twice', mapOf(Point), '0a07 0a01 6b 1202 0801 0a07 0a01 6b 1202 1002', { k: { y: 2 } }],
    ['a map of lists', mapOf(namedList('test/v1.L', string)), '0a08 0a01 6b 1203 0a01 61', { k: ['a'] }],
    ['a message in two parts', Point, '0a02 0801 0a02 1002', { x: 1, y: 2 }],
    ['false in one of two forms', ObjectOrBool, '0a02 0800', false],
    ['true in one of two forms', ObjectOrBool, '0a02 0801', true],
    ['nothing where false is', ObjectOrBool, '0a00', false],
    ['an object in one of two forms', ObjectOrBool, '0a06 0801 1202 0801', { x: 1 }],
    ['a list in one of two forms', ObjectOrList, '0a05 0a00 1201 61', ['a']],
    ['an empty object in one of two forms', ObjectOrList, '0a02 0a00', {}],
    ['neither of two forms', ObjectOrList, '0a00', null],
  ])('reads %s', (_name, schema, hex, value) => {
    expect(decodeMessage(holding(schema), bytes(hex))).toEqual({ v: value });
  });

  it('merges the fields of inline messages into the parent', () => {
    const schema = struct('test/v1.Box', () => ({
      name: field(1, string),
      point: field(2, Point, { inline: true }),
    }));
    expect(decodeMessage(schema, bytes('0a0161 12020801 12021002'))).toEqual({ name: 'a', x: 1, y: 2 });
  });

  it('keeps a key that is also a property of Object.prototype', () => {
    const decoded = decodeMessage(holding(mapOf(string)), bytes(`0a0e 0a ${text('__proto__')} 12 ${text('v')}`));
    expect(Object.entries(decoded.v as object)).toEqual([['__proto__', 'v']]);
  });

  it.each([
    ['a number', '1005'],
    ['eight bytes', '11 0102030405060708'],
    ['four bytes', '15 01020304'],
    ['bytes', '1203 010203'],
    ['a group', '13 1a020102 1801 14'],
    ['groups in groups', '13 1b 1b 1c 1c 14'],
    ['a large number', 'f8ffffff0f 05'],
  ])('skips %s of an unknown field', (_name, hex) => {
    expect(decodeMessage(holding(int32), bytes(`0801 ${hex}`))).toEqual({ v: 1 });
  });

  it('skips a hundred thousand nested groups', () => {
    const groups = Buffer.concat([Buffer.alloc(100_000, 0x13), Buffer.alloc(100_000, 0x14)]);
    expect(decodeMessage(holding(int32), groups)).toEqual({});
  });

  it.each<[string, Schema, string, string]>([
    ['a wrong wire type', int32, '0a00', 'proto: wrong wireType = 2 for field v'],
    ['a number for a message', Point, '0801', 'proto: wrong wireType = 0 for field v'],
    ['a number for a map', mapOf(string), '0801', 'proto: wrong wireType = 0 for field v'],
    ['a number for a key', mapOf(string), '0a02 0801', 'proto: wrong wireType = 0 for field v'],
    ['four bytes in a list of numbers', listOf(int32), '0d 01020304', 'proto: wrong wireType = 5 for field v'],
    ['field 0', int32, '0001', 'proto: Box: illegal tag 0 (wire type 0)'],
    ['a negative field', int32, 'faffffff7f 00', 'proto: Box: illegal tag -1 (wire type 34359738362)'],
    [
      'a field number beyond 31 bits',
      int32,
      '80808080 40',
      'proto: Box: illegal tag -2147483648 (wire type 17179869184)',
    ],
    ['the end of no group', int32, '0c', 'proto: Box: wiretype end group for non-group'],
    ['a group without end', int32, '13 1801', 'unexpected EOF'],
    ['an unknown wire type', int32, '16', 'proto: illegal wireType 6'],
    ['half a tag', int32, '88', 'unexpected EOF'],
    ['half a number', int32, '0880', 'unexpected EOF'],
    ['a number without end', int32, '08ffffffffffffffffffff01', 'proto: integer overflow'],
    ['half a float', float64, '09 00000000', 'unexpected EOF'],
    ['half a string', string, '0a05 6161', 'unexpected EOF'],
    ['a huge length', string, '0affffffff7f 61', 'unexpected EOF'],
    ['a negative length', string, '0affffffffffffffffff01 61', 'proto: negative length found during unmarshaling'],
    ['a field beyond its message', Point, '0a02 0880 0801', 'unexpected EOF'],
    ['a string beyond its message', Tree, '0a03 0a05 61 61616161', 'unexpected EOF'],
    ['a row of numbers cut off', listOf(int32), '0a02 0180 01', 'unexpected EOF'],
    ['unknown bytes beyond their message', Point, '0a02 1a05 0000000000', 'unexpected EOF'],
    ['no number', float64, '09 000000000000f87f', 'json: unsupported value: NaN'],
    ['a third kind of two', intOrString, '0a02 0802', 'impossible IntOrString.Type'],
    ['a year of five digits', time, '0a07 088083d1ffaf07', 'time out of range: 253402300800 seconds since 1970'],
    ['broken JSON', rawExtension, `0a03 0a ${text('{')}`, 'unexpected end of JSON input'],
  ])('rejects %s', (_name, schema, hex, message) => {
    expect(() => decodeMessage(holding(schema), bytes(hex))).toThrow(new DecodeError(message));
  });

  it('rejects messages nested more than a thousand levels deep', () => {
    expect(depthOf(decodeMessage(Tree, nested(1_000)))).toBe(1_000);
    expect(() => decodeMessage(Tree, nested(1_001))).toThrow(
      new DecodeError('proto: exceeded maximum recursion depth'),
    );
  });

  it('limits the depth, not the number of messages', () => {
    const many = Buffer.concat(Array.from({ length: 2_000 }, () => Buffer.from('0a020801', 'hex')));
    expect(decodeMessage(holding(listOf(Point)), many).v).toHaveLength(2_000);
  });
});

function nested(depth: number): Buffer {
  let message = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) {
    const length = [];
    for (let rest = message.length; ; rest >>>= 7) {
      length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
      if (rest <= 0x7f) break;
    }
    message = Buffer.concat([Buffer.from([0x12, ...length]), message]);
  }
  return message;
}

function depthOf(tree: Record<string, unknown>): number {
  let depth = 0;
  for (let at = tree; at.child !== undefined; at = at.child as Record<string, unknown>) depth++;
  return depth;
}
