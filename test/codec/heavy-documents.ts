import type { EncodingName } from '../../src/codec/media-types.ts';
import {
  type Around,
  enveloped,
  filled,
  fullSize,
  type HostileDocument,
  protobufField,
  table,
} from './hostile-bytes.ts';

/** Half as large as documents that are rejected, because these are processed completely. */
const many = (unit: string | Buffer, around: Around = {}): (() => Buffer) =>
  filled(unit, { ...around, size: fullSize / 2 });

/** Documents that are decoded as a ControllerRevision. Apart from their size, they have few errors or none. */
export const heavyDocuments: Readonly<Record<EncodingName, readonly HostileDocument[]>> = {
  json: table({
    'one key again and again': many('"a":1,', { before: '{', after: '"a":1}' }),
    'one known key again and again': many('"revision":1,', { before: '{', after: '"revision":1}' }),
    'an object with many keys': () => Buffer.from(JSON.stringify(manyKeys(35_000))),
    escapes: many('\\u0041', { before: '{"data":"', after: '"}' }),
    'small objects': many('{},', { before: '{"data":[', after: '{}]}' }),
    'integers of 19 digits': many('9223372036854775807,', { before: '{"data":[', after: '1]}' }),
    fractions: many('1.0,', { before: '{"data":[', after: '1]}' }),
    'null owners': many('null,', { before: '{"metadata":{"ownerReferences":[', after: 'null]}}' }),
    'unknown fields in lists': many('{"a":1},', { before: '{"metadata":{"ownerReferences":[', after: '{}]}}' }),
  }),
  yaml: table({
    'one key again and again': many('a: 1\n'),
    'one known key again and again': many('revision: 1\n'),
    'a mapping with many keys': () => Buffer.from(JSON.stringify(manyKeys(25_000)).replaceAll(',', ', ')),
    'a block with many keys': () => Buffer.from(Object.keys(manyKeys(25_000)).join(': 1\n')),
    'deep indentation': indented,
    'a plain text of many lines': many(' a\n', { before: 'data:\n' }),
    'a quoted text of many lines': many(' \n a\n', { before: 'data: "', after: '"' }),
    'a block of empty lines': many('\n', { before: 'data: |+\n' }),
    'a block of blanks': many('  \n', { before: 'data: |\n  a\n' }),
    'a folded block': many('  a\n', { before: 'data: >\n' }),
    escapes: many('\\x41', { before: 'data: "', after: '"' }),
    comments: many('#\n'),
    'one long comment': many('#'),
    'empty lines': many('\n'),
    blanks: many(' '),
    'small mappings': many('- {}\n', { before: 'data:\n' }),
    'small flow mappings': many('{},', { before: 'data: [', after: '{}]' }),
    'one alias again and again': many('- *a\n', { before: 'metadata: &a {}\ndata:\n' }),
    'many anchors': many('- &a a\n', { before: 'data:\n' }),
    'merges of nothing': many('- {<<: *a}\n', { before: 'metadata: &a {}\ndata:\n' }),
    anchors: many('&a '),
    tags: many('!a '),
    'a number of underscores': many('_', { before: 'revision: 1' }),
    'binary texts': many('A', { before: 'data: !!binary ' }),
    'numbers with underscores': many('- 1_0\n', { before: 'data:\n' }),
    documents: many('---\n'),
    'dashes that are a text': many('-', { before: 'data: ' }),
    'almost a date': many('2', { before: 'data: 2001-01-' }),
  }),
  protobuf: table({
    'one field again and again': () => enveloped(many(Buffer.from('1801', 'hex'))()),
    'an object in many parts': () => enveloped(many(Buffer.from('0a00', 'hex'))()),
    'small owners': () => enveloped(protobufField(0x0a, many(Buffer.from('6a00', 'hex'))())),
    'labels without a name': () => enveloped(protobufField(0x0a, many(Buffer.from('5a00', 'hex'))())),
    'unknown fields': () => enveloped(many(Buffer.from('7801', 'hex'))()),
  }),
  cbor: table({
    'small lists': cborList('80'),
    'small maps': cborList('a0'),
    halves: cborList('f93800'),
    'integers of eight bytes': cborList('1b7fffffffffffffff'),
    times: cborList('c101'),
    'small tags': cborList('c601'),
    'pieces of one byte': cborList('4161', '5f'),
  }),
};

/** A field `data` with a list, or with another value that consists of many parts. */
function cborList(unit: string, start = '9f'): () => Buffer {
  const before = `\xbfDdata${Buffer.from(start, 'hex').toString('latin1')}`;
  return many(Buffer.from(unit, 'hex'), { before, after: '\xff\xff' });
}

/** Deep nesting by indentation, one level per line. */
function indented(): Buffer {
  return Buffer.from(Array.from({ length: 1_400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'));
}

function manyKeys(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}
