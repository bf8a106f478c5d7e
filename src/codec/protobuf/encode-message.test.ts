import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../meta/decode-error.ts';
import { ConfigMap } from '../../resources/core/config-types.ts';
import { Event } from '../../resources/core/event-types.ts';
import { ServicePort } from '../../resources/core/service-types.ts';
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
import { ObjectMeta, Status } from '../../schema/meta-types.ts';
import type { Schema, StructSchema } from '../../schema/model.ts';
import { Table } from '../../schema/table-types.ts';
import { encodeMessage } from './encode-message.ts';

const text = (content: string): string => {
  const encoded = Buffer.from(content).toString('hex');
  return (encoded.length / 2).toString(16).padStart(2, '0') + encoded;
};
const hexOf = (hex: string): string => hex.replaceAll(/\s/g, '');

const Point = struct('test/v1.Point', () => ({ x: field(1, int32), y: field(2, int32, { pointer: true }) }));
const Tree = struct('test/v1.Tree', () => ({
  name: field(1, string),
  get child() {
    return field(2, Tree, { pointer: true });
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
const Names = namedList('test/v1.Names', string);

/** A message whose field 1 is of the type. */
const holding = (schema: Schema, options = {}) => struct('test/v1.Box', () => ({ v: field(1, schema, options) }));

const longText = 'grüne Wälder '.repeat(10);

describe('encodeMessage', () => {
  it.each<[string, Schema, unknown, string]>([
    ['a string', string, 'web', `0a ${text('web')}`],
    ['a string beyond ASCII', string, 'grün 😀', `0a ${text('grün 😀')}`],
    ['half a surrogate pair', string, 'a\ud83d', `0a ${text('a\ufffd')}`],
    ['a long string', string, 'a'.repeat(300), `0a ac02 ${'61'.repeat(300)}`],
    ['a long string beyond ASCII', string, longText, `0a 9601 ${Buffer.from(longText).toString('hex')}`],
    ['true', bool, true, '0801'],
    ['a number of two bytes', int32, 300, '08ac02'],
    ['a number of three bytes', int32, 65_536, '08808004'],
    ['a number of four bytes', int32, 2_097_152, '0880808001'],
    ['the largest int32', int32, 2_147_483_647, '08ffffffff07'],
    ['a negative int32 in ten bytes', int32, -1, '08ffffffffffffffffff01'],
    ['the smallest int32', int32, -2_147_483_648, '0880808080f8ffffffff01'],
    ['the largest uint32', uint32, 4_294_967_295, '08ffffffff0f'],
    ['an int64 of 32 bits', int64, 4_294_967_295, '08ffffffff0f'],
    ['an int64 of 33 bits', int64, 4_294_967_296, '088080808010'],
    ['a large int64', int64, Number.MAX_SAFE_INTEGER, '08ffffffffffffff0f'],
    ['a negative int64', int64, -2, '08feffffffffffffffff01'],
    ['a small negative int64', int64, Number.MIN_SAFE_INTEGER, '0881808080808080f0ff01'],
    ['a bigint', int64, 2n ** 53n, '088080808080808010'],
    ['the largest int64', int64, 2n ** 63n - 1n, '08ffffffffffffffff7f'],
    ['the smallest int64', int64, -(2n ** 63n), '0880808080808080808001'],
    ['a float', float64, 1.5, '09 000000000000f83f'],
    ['bytes', bytesType, 'AAH/', '0a03 0001ff'],
    ['bytes in lines', bytesType, 'AAH/\nAAH/', '0a06 0001ff0001ff'],
    ['no bytes', bytesType, '', '0a00'],
    ['a time', time, '2024-02-29T12:34:56Z', '0a08 08f0f381af06 1000'],
    ['1970', time, '1970-01-01T00:00:00Z', '0a04 0800 1000'],
    ['a time before 1970', time, '1969-12-31T23:59:59Z', '0a0d 08ffffffffffffffffff01 1000'],
    ['a time with microseconds', microTime, '1970-01-01T00:00:01.001234Z', '0a06 0801 10d0a84b'],
    ['a duration', duration, '1m30.5s', '0a07 0880d2e191d102'],
    ['a quantity', quantity, '100m', `0a06 0a ${text('100m')}`],
    ['a number of two', intOrString, 80, '0a06 0800 1050 1a00'],
    ['a negative number of two', intOrString, -1, '0a0f 0800 10ffffffffffffffffff01 1a00'],
    ['a string of two', intOrString, '50%', `0a09 0801 1000 1a ${text('50%')}`],
    ['an embedded object', rawExtension, { a: 1 }, `0a09 0a ${text('{"a":1}')}`],
    ['ready bytes', rawExtension, Buffer.from('6b387300ff', 'hex'), '0a07 0a05 6b387300ff'],
    ['field paths', fieldsV1, { 'f:a<': {} }, `0a12 0a ${text('{"f:a\\u003c":{}}')}`],
    ['any JSON', json, [1, 2n ** 64n], `0a1a 0a ${text('[1,18446744073709551616]')}`],
    ['a list of strings', listOf(string), ['a', '', 'b'], `0a ${text('a')} 0a00 0a ${text('b')}`],
    ['numbers one by one', listOf(int32), [1, 0, -1], '0801 0800 08ffffffffffffffffff01'],
    ['a list of messages', listOf(Point), [{ x: 1, y: 0 }, {}, null], '0a04 08011000 0a02 0800 0a02 0800'],
    ['a list of JSON', listOf(json), [null, 0], '0a00 0a03 0a01 30'],
    ['an empty list', listOf(string), [], ''],
    ['a list that is a type', Names, ['a', 'b'], `0a06 0a ${text('a')} 0a ${text('b')}`],
    ['an empty list that is a type', Names, [], '0a00'],
    ['a map', mapOf(string), { b: '', a: 'v' }, '0a06 0a0161 120176 0a05 0a0162 1200'],
    ['keys that look like numbers', mapOf(bool), { 9: true, 10: false }, '0a06 0a023130 1000 0a05 0a0139 1001'],
    [
      'keys by their bytes',
      mapOf(bool),
      { '😀': true, '\uffff': true },
      '0a07 0a03 efbfbf 1001 0a08 0a04 f09f9880 1001',
    ],
    ['a map of bytes', mapOf(bytesType), { a: 'AA==', b: null }, '0a06 0a0161 120100 0a03 0a0162'],
    ['a map of quantities', mapOf(quantity), { cpu: '1' }, '0a0a 0a03637075 12030a0131'],
    ['a map of messages', mapOf(Point), { k: null }, '0a07 0a016b 12020800'],
    ['a map of lists', mapOf(Names), { k: ['a'] }, '0a08 0a016b 12030a0161'],
    ['an empty map', mapOf(string), {}, ''],
    ['false in one of two forms', ObjectOrBool, false, '0a02 0800'],
    ['true in one of two forms', ObjectOrBool, true, '0a02 0801'],
    ['an object in one of two forms', ObjectOrBool, { x: 1 }, '0a06 0801 12020801'],
    ['a list in one of two forms', ObjectOrList, ['a'], '0a03 120161'],
    ['another object in one of two forms', ObjectOrList, {}, '0a04 0a020800'],
  ])('writes %s', (_name, schema, value, hex) => {
    expect(encodeMessage(holding(schema), { v: value }).toString('hex')).toBe(hexOf(hex));
  });

  it.each<[string, Schema, string]>([
    ['a string', string, '0a00'],
    ['a boolean', bool, '0800'],
    ['a number', int32, '0800'],
    ['a long number', int64, '0800'],
    ['a float', float64, '09 0000000000000000'],
    ['bytes', bytesType, ''],
    ['a time', time, '0a00'],
    ['a time with microseconds', microTime, '0a00'],
    ['a duration', duration, '0a02 0800'],
    ['a quantity', quantity, `0a03 0a ${text('0')}`],
    ['a number or string', intOrString, '0a06 0800 1000 1a00'],
    ['an embedded object', rawExtension, '0a00'],
    ['a message', Point, '0a02 0800'],
    ['a message in messages', holding(Point), '0a04 0a02 0800'],
    ['one of two forms', ObjectOrBool, '0a02 0800'],
    ['a list', listOf(string), ''],
    ['a list that is a type', Names, ''],
    ['a map', mapOf(string), ''],
  ])('writes the zero value for %s that is absent, and nothing for a nil pointer', (_name, schema, hex) => {
    for (const object of [{}, { v: null }, { v: undefined }]) {
      expect(encodeMessage(holding(schema), object).toString('hex')).toBe(hexOf(hex));
      expect(encodeMessage(holding(schema, { pointer: true }), object).toString('hex')).toBe('');
    }
  });

  it('writes fields in order of number and inline messages separately, and skips unknown fields', () => {
    const schema = struct('test/v1.Box', () => ({
      name: field(40, string),
      point: field(2, Point, { inline: true }),
      flag: field(1, bool),
    }));
    const object = { kind: 'Box', apiVersion: 'v1', name: 'a', x: 1, y: 2, other: 'x' };
    expect(encodeMessage(schema, object).toString('hex')).toBe(hexOf('0800 1204 08011002 c202 0161'));
  });

  it('writes fields beyond the first 32', () => {
    const names = Array.from({ length: 64 }, (_, index) => `f${index + 1}`);
    const schema = struct('test/v1.Wide', () =>
      Object.fromEntries(names.map((name, index) => [name, field(index + 1, int32, { pointer: true })])),
    );
    const object = { f64: 4, f32: 2, f33: 3, f1: 1 };
    expect(encodeMessage(schema, object).toString('hex')).toBe('0801800202880203800404');
  });

  it('encodes ObjectMeta and Status like Kubernetes', () => {
    const metadata = { name: 'a', creationTimestamp: '2024-02-29T12:34:56Z', labels: { app: 'x' } };
    expect(encodeMessage(ObjectMeta, metadata).toString('hex')).toBe(
      hexOf('0a0161 1200 1a00 2200 2a00 3200 3800 4208 08f0f381af06 1000 5a08 0a03617070 120178'),
    );
    const status = { metadata: {}, status: 'Failure', details: { name: 'a' }, code: 404 };
    expect(encodeMessage(Status, status).toString('hex')).toBe(
      hexOf(`0a06 0a0012001a00 12 ${text('Failure')} 1a00 2200 2a0b 0a0161 1200 1a00 2800 3200 309403`),
    );
  });

  const noMetadata = '0a00 1200 1a00 2200 2a00 3200 3800 4200';
  const noReference = '0a00 1200 1a00 2200 2a00 3200 3a00';
  it.each<[string, StructSchema, Record<string, unknown>, string]>([
    [
      'a ConfigMap',
      ConfigMap,
      { data: { b: '2', a: '1' }, binaryData: { c: 'AAE=' }, immutable: false },
      `0a10 ${noMetadata} 1206 0a0161 120131 1206 0a0162 120132 1a07 0a0163 12020001 2000`,
    ],
    ['a port by number', ServicePort, { port: 80, targetPort: 8080 }, '0a00 1200 1850 2207 0800 10903f 1a00 2800'],
    [
      'a port by name',
      ServicePort,
      { name: 'a', port: 80, targetPort: 'b', appProtocol: 'c' },
      '0a0161 1200 1850 2207 0801 1000 1a0162 2800 320163',
    ],
    [
      'an Event',
      Event,
      { reason: 'R', eventTime: '1970-01-01T00:00:01.001234Z' },
      `0a10 ${noMetadata} 120e ${noReference} 1a0152 2200 2a04 0a00 1200 3200 3a00 4000 4a00 5206 0801 10d0a84b
        6200 7200 7a00`,
    ],
  ])('writes %s with all fields that Go writes', (_name, schema, object, hex) => {
    expect(encodeMessage(schema, object).toString('hex')).toBe(hexOf(hex));
  });

  it('writes tables', () => {
    const row = { cells: ['a', 1, null], object: Buffer.from('k8s') };
    const column = { name: 'N', type: 'string', format: 'name', description: '', priority: 1 };
    expect(encodeMessage(Table, { metadata: {}, columnDefinitions: [column], rows: [row] }).toString('hex')).toBe(
      hexOf(
        `0a06 0a0012001a00 1215 0a014e 12 ${text('string')} 1a ${text('name')} 2200 2801
        1a15 0a05 0a03 226122 0a03 0a0131 0a00 1a05 0a03 6b3873`,
      ),
    );
  });

  it('returns bytes that later messages do not overwrite', () => {
    const first = encodeMessage(holding(string), { v: 'first' });
    encodeMessage(holding(string), { v: 'other' });
    expect(first.toString('hex')).toBe(hexOf(`0a ${text('first')}`));
  });

  it('grows the buffer for large messages, also after a failed one', () => {
    const List = struct('test/v1.List', () => ({ time: field(1, time), points: field(2, listOf(Point)) }));
    const points = Array.from({ length: 400_000 }, (_, index) => ({ x: index & 0x7f }));
    for (let round = 0; round < 2; round++) {
      const message = encodeMessage(List, { points });
      expect(message).toHaveLength(2 + points.length * 4);
      expect(message.subarray(0, 10).toString('hex')).toBe(hexOf('0a00 12020800 12020801'));
      expect(message.subarray(-4)).toEqual(Buffer.from([0x12, 0x02, 0x08, points.at(-1)!.x]));
      expect(() => encodeMessage(List, { points, time: 'noon' })).toThrow(new DecodeError('parsing time "noon"'));
    }
    expect(encodeMessage(List, {}).toString('hex')).toBe('0a00');
  });

  it.each([
    ['messages', 'child', Tree],
    ['JSON', 'v', holding(rawExtension)],
  ])('rejects %s nested too deeply', (_name, name, schema) => {
    let object: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level++) object = { [name]: object };
    expect(() => encodeMessage(schema, object)).toThrow(new DecodeError('exceeded max depth'));
    expect(encodeMessage(Tree, { name: 'a' }).toString('hex')).toBe('0a0161');
  });
});
