import { expect, it, test } from 'vitest';
import { type ListCaching, listCaching, ObjectEncoding } from './object-encoding.ts';

const mebibytes = 1024 * 1024;
const type = { group: '', kind: 'Sample', apiVersion: 'v1', schema: undefined };
const before = () => Buffer.from(',');

function group() {
  const documents = ['a', 'b'].map((name) => Buffer.from(JSON.stringify({ metadata: { name } })));
  return { identity: {}, documents: () => documents };
}

test.each<[size: number, caching: ListCaching]>([
  [1, 'groups and items'],
  [32 * mebibytes, 'groups and items'],
  [33 * mebibytes, 'groups'],
  // The list of 10,000 pods.
  [59 * mebibytes, 'groups'],
  [65 * mebibytes, 'nothing'],
])('a list of %d bytes: caches %s', (size, caching) => {
  expect(listCaching(size)).toBe(caching);
});

it.each<{ caching: ListCaching; isGroupKept: boolean; isItemKept: boolean }>([
  { caching: 'groups and items', isGroupKept: true, isItemKept: true },
  { caching: 'groups', isGroupKept: true, isItemKept: false },
  { caching: 'nothing', isGroupKept: false, isItemKept: false },
])('encodes a group and its items once or again: $caching', ({ caching, isGroupKept, isItemKept }) => {
  const encoding = new ObjectEncoding('cbor');
  const sample = group();
  const first = encoding.group(sample, type, { before, caching });
  const again = encoding.group(sample, type, { before, caching });
  expect(again.equals(first)).toBe(true);
  expect(again === first).toBe(isGroupKept);
  expect(encoding.knowsGroup(sample)).toBe(isGroupKept);
  // The same items in another group.
  const [one, other] = [1, 2].map(() => encoding.item(sample.documents()[0]!, type, { keep: false }));
  expect(one === other).toBe(isItemKept);
});
