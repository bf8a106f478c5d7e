import type { EncodingName } from '../../src/codec/media-types.ts';
import {
  deep,
  enveloped,
  filled,
  filledHex,
  fullSize,
  type HostileDocument,
  hex,
  nested,
  protobufField,
  table,
} from './hostile-bytes.ts';

/**
 * Documents that are decoded as a ControllerRevision, which contains a value of any type. All of them must be rejected.
 */
export const refusedDocuments: Readonly<Record<EncodingName, readonly HostileDocument[]>> = {
  json: table({
    'lists in lists': nested('[', ']'),
    'objects in objects': nested('{"a":', '}'),
    'a value of any type that is nested': () => Buffer.from(`{"data":${'['.repeat(deep)}${']'.repeat(deep)}}`),
    'open brackets': filled('['),
    'open braces': filled('{"a":'),
    'open brackets, indented': filled('[\n '),
    'one key without an end': filled('"a":1,', { before: '{' }),
    'one text without an end': filled('a', { before: '{"a":"' }),
    'one escape after the other': filled('\\u00', { before: '{"a":"' }),
    'a number without an end': filled('1', { before: '{"revision":', after: '}' }),
    'a fraction without an end': filled('1', { before: '{"revision":0.', after: '}' }),
    'an exponent without an end': filled('9', { before: '{"revision":1e', after: '}' }),
    blanks: filled(' '),
    backslashes: filled('\\', { before: '{"a":"' }),
  }),
  yaml: table({
    'lists in lists': nested('[', ']'),
    'mappings in mappings': nested('{a: ', '}'),
    'lists in lists on one line': () => Buffer.from(`data: \n${'- '.repeat(deep)}`),
    'lists in lists that are a value': () => Buffer.from(`data:\n${'- '.repeat(deep)}a`),
    'complex keys': () => Buffer.from('? '.repeat(deep)),
    'open brackets': filled('['),
    'open braces': filled('{'),
    'open braces with keys': filled('{a: '),
    'open brackets, one a line': filled('[\n'),
    dashes: filled('- '),
    'question marks': filled('? '),
    colons: filled(': '),
    'a tag without an end': filled('!'),
    'an unknown anchor': filled('- *a\n'),
    'a quoted text without an end': filled('a', { before: 'a: "' }),
    'a quoted text of many lines without an end': filled('a\n\n ', { before: "a: '" }),
    'one escape after the other': filled('\\x4', { before: 'a: "' }),
    'aliases of aliases': aliasBomb,
    'a mapping that is merged often': mergeBomb,
    'a value that contains itself': () => Buffer.from('data: &a [*a]'),
    'a number without an end': filled('1', { before: 'revision: ' }),
    'a hexadecimal number without an end': filled('f', { before: 'revision: 0x' }),
    'a number of sixties': filled('1:', { before: 'revision: ', after: '1' }),
    'control characters': filled('\u0001'),
    directives: filled('%YAML 1.1\n'),
  }),
  protobuf: table({
    'a wrong prefix': hex('6b387301'),
    'no message': hex('6b3873000a'),
    'a message of 2 GiB': hex('6b38730012ffffffff07'),
    'a message of 4 GiB': hex('6b38730012ffffffff0f'),
    'a message of 8 EiB': hex('6b38730012ffffffffffffffff7f'),
    'a message of less than nothing': hex('6b38730012ffffffffffffffffff01'),
    'a length without an end': filledHex('ff', '6b38730012'),
    'a field of 2 GiB': hex('6b38730012060affffffff07'),
    'a field of 8 EiB': hex('6b387300120a0affffffffffffffff7f'),
    'groups in groups': filledHex('7b', '6b387300'),
    'JSON that is nested': () => inRawExtension(nested('[', ']')()),
    'JSON of open brackets': () => inRawExtension(filled('[')().subarray(0, fullSize - 100)),
  }),
  cbor: table({
    'lists in lists': () => Buffer.from([...Array(deep).fill(0x81), 0x80]),
    'lists of unknown length in lists': () => Buffer.from([...Array(deep).fill(0x9f), ...Array(deep).fill(0xff)]),
    'maps in maps': () => Buffer.from(`${'a14161'.repeat(deep)}a0`, 'hex'),
    'tags in tags': () => Buffer.from([...Array(deep).fill(0xc6), 0xa0]),
    'open lists': filledHex('81'),
    'open lists of unknown length': filledHex('9f'),
    'open maps': filledHex('a14161'),
    'open maps of unknown length': filledHex('bf4161'),
    'keys in keys': filledHex('a1'),
    tags: filledHex('d9d9f7'),
    'small tags': filledHex('c1'),
    'one key again and again': filledHex('414101', 'bf'),
    'texts in pieces without an end': filledHex('60', '7f'),
    'bytes in pieces without an end': filledHex('40', '5f'),
    'a text of 2 GiB': hex('a141617a7fffffff61'),
    'a text of 8 EiB': hex('a141617b7fffffffffffffff61'),
    'bytes of 2 GiB': hex('a141615a7fffffff61'),
    'bytes of 16 EiB': hex('a141615bffffffffffffffff61'),
    'a list of 2 Gi items': hex('a141619a7fffffff01'),
    'a list of 8 Ei items': hex('a141619b7fffffffffffffff01'),
    'a map of 2 Gi entries': hex('ba7fffffff416101'),
    'a map of 16 Ei entries': hex('bbffffffffffffffff416101'),
    'a large integer': filledHex('ff', 'a14161c25a000ffff0'),
    breaks: filledHex('ff'),
  }),
};

/** Wraps JSON in the protobuf message of a RawExtension. */
function inRawExtension(json: Buffer): Buffer {
  return enveloped(protobufField(0x12, protobufField(0x0a, json)));
}

/** Each line refers to the previous one ten times. */
function aliasBomb(): Buffer {
  const lines = ['a0: &a0 lol'];
  for (let level = 1; level < 30; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(',')}]`,
    );
  }
  return Buffer.from(lines.join('\n'));
}

/** One large mapping that is merged into many others. */
function mergeBomb(): Buffer {
  const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join(', ');
  return Buffer.from(`base: &a {${keys}}\nmerged:\n${'- {<<: *a}\n'.repeat(20_000)}`);
}
