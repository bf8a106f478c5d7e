import { encode as encodeWithPeer } from 'cborg';
import { expect, it } from 'vitest';
import { BoundsError } from '../meta/bounds-error.ts';
import { decodeCbor } from './cbor/index.ts';
import { requestBounds } from './document-bounds.ts';
import { decodeJson } from './json/index.ts';
import { decodeYaml } from './yaml/index.ts';

const { maxKeys, maxValues } = requestBounds;
const listOf = (count: number) => Array.from({ length: count }, () => 1);
const mapOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
const blockOf = (value: unknown[] | Record<string, unknown>): string =>
  Array.isArray(value)
    ? value.map((item) => `- ${JSON.stringify(item)}`).join('\n')
    : Object.entries(value)
        .map(([key, item]) => `${key}: ${item}`)
        .join('\n');

type Read = (value: unknown[] | Record<string, unknown>) => unknown;
const readers: [string, Read][] = [
  ['JSON', (value) => decodeJson(Buffer.from(JSON.stringify(value)), requestBounds).value],
  // An escape in a key selects the other parser.
  ['exact JSON', (value) => decodeJson(Buffer.from(`[{"\\u0061":1},${JSON.stringify(value)}]`), requestBounds).value],
  ['YAML', (value) => decodeYaml(Buffer.from(blockOf(value))).value],
  ['JSON as YAML', (value) => decodeYaml(Buffer.from(`{"a":${JSON.stringify(value)}}`)).value],
  ['CBOR', (value) => decodeCbor(Buffer.from(encodeWithPeer(value))).value],
];

it.each(readers)('%s rejects documents with too many values', (_name, read) => {
  expect(() => read(listOf(maxValues - 10))).not.toThrow();
  expect(() => read(listOf(maxValues + 1))).toThrow(BoundsError);
  expect(() => read(listOf(maxValues / 2).map(() => ({ a: 1, b: 2 })))).toThrow(BoundsError);
});

it.each<[string, number, number]>([
  ['a text', 0x7f, 0x60],
  ['bytes', 0x5f, 0x40],
])('CBOR rejects %s in too many chunks', (_what, open, chunk) => {
  const inChunks = (count: number) => Buffer.concat([Buffer.of(open), Buffer.alloc(count, chunk), Buffer.of(0xff)]);
  expect(decodeCbor(inChunks(maxValues)).value).toBe('');
  expect(() => decodeCbor(inChunks(maxValues + 1))).toThrow(BoundsError);
  // Two strings in a list, each with half of the chunks.
  const half = inChunks(maxValues / 2);
  expect(() => decodeCbor(Buffer.concat([Buffer.of(0x82), half, half]))).toThrow(BoundsError);
});

it.each(readers)('%s rejects objects with too many keys', (_name, read) => {
  expect(() => read(mapOf(maxKeys))).not.toThrow();
  expect(() => read(mapOf(maxKeys + 1))).toThrow(BoundsError);
});

it('stored documents are not limited', () => {
  expect(() => decodeJson(Buffer.from(JSON.stringify(mapOf(maxValues + 1))))).not.toThrow();
});

it.each<[string, string]>([
  ['merges', `a: &a {${Array.from({ length: 200 }, (_, index) => `k${index}: 1`)}}\nb:\n${'- {<<: *a}\n'.repeat(100)}`],
  ['aliases', `a: &a [1, 2, 3]\nb:\n${'- *a\n'.repeat(5_000)}${'- x\n'.repeat(20_000)}`],
])('YAML rejects too many %s', (_what, text) => {
  expect(() => decodeYaml(Buffer.from(text))).toThrow('document contains excessive aliasing');
});

it('YAML rejects documents with too many lines', () => {
  expect(() => decodeYaml(Buffer.from(`a: |\n${'  x\n'.repeat(199_000)}`))).not.toThrow();
  expect(() => decodeYaml(Buffer.from(`a: |\n${'  x\n'.repeat(201_000)}`))).toThrow(BoundsError);
});

it('limits the number of duplicate keys reported', () => {
  const text = 'a: 1\n'.repeat(1_000);
  expect(decodeYaml(Buffer.from(text)).duplicates).toHaveLength(100);
  expect(decodeJson(Buffer.from(`{${text.trim().replaceAll('a', '"a"').split('\n').join()}}`)).duplicates).toHaveLength(
    100,
  );
});
