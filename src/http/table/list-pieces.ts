import { encodeJson } from '../../codec/json/index.ts';
import type { ObjectList } from '../../registry/index.ts';
import { readItems } from './read-object.ts';
import type { Representation } from './representation.ts';

const tail = Buffer.from(']}\n');

/** A list in a form of its own, in pieces: one group of items after the other is read, converted and forgotten. */
export function* representedPieces(
  list: ObjectList,
  representation: Representation,
  room: (size: number) => Buffer,
): Generator<Buffer> {
  const { resourceVersion, continueToken, remainingItemCount } = list;
  const { value, field } = representation.openList({
    // What is made up for the answer has none.
    resourceVersion: resourceVersion || undefined,
    continue: continueToken,
    remainingItemCount,
  });
  yield Buffer.from(`${encodeJson(value).slice(0, -1)},"${field}":[`);
  let separator = '';
  for (const objects of groups(list, representation, room)) {
    if (objects.length === 0) continue;
    const texts = objects.map((object) => encodeJson(representation.item(object)));
    yield Buffer.from(separator + texts.join(','));
    separator = ',';
  }
  yield tail;
}

function* groups(list: ObjectList, { compare }: Representation, room: (size: number) => Buffer) {
  const type = { kind: list.kind.slice(0, -'List'.length), apiVersion: list.apiVersion };
  // What is sorted has to be whole first. The kinds for which it is have few objects.
  const all = [];
  for (const group of list.items(room)) {
    const objects = readItems(group, type);
    if (compare === undefined) yield objects;
    else all.push(...objects);
  }
  if (compare !== undefined) yield all.sort(compare);
}
