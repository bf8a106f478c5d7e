import { emptyBytes, type ListFrame } from '../../codec/encoders/index.ts';
import type { ObjectList } from '../../registry/index.ts';
import { List } from '../../schema/meta-types.ts';
import type { Representation } from '../representations/representation.ts';
import { listCaching } from './object-encoding.ts';
import type { OutputFormat } from './output-format.ts';
import { readObject } from './read-object.ts';

/**
 * Encodes a list in chunks, one group of items after the other, so that no more than a group is held in memory. An
 * empty chunk follows those that took time to encode, so that the caller yields to other requests.
 */
export function* encodedChunks(list: ObjectList, format: OutputFormat): Generator<Buffer> {
  const frame = openList(list, format);
  if (!frame.needsSize) {
    yield frame.head(0);
    yield* groupChunks(encodedGroups(list, format), frame);
  } else {
    yield* sizedChunks(list, format, frame);
  }
  yield frame.tail;
}

function openList(list: ObjectList, { encoding, representation }: OutputFormat): ListFrame {
  const { kind, apiVersion, resourceVersion, continueToken, remainingItemCount, count } = list;
  const metadata = {
    // Lists that the server computes have no version.
    resourceVersion: resourceVersion || undefined,
    continue: continueToken,
    remainingItemCount,
  };
  if (representation === undefined) {
    return encoding.encoder.openList({ value: { kind, apiVersion, metadata }, field: 'items', count, schema: List });
  }
  const { schemas } = representation;
  return encoding.encoder.openList({ ...representation.openList(metadata), count, schema: schemas.list });
}

/**
 * The size of the whole list is known only after a first pass. Lists that are not too large keep the encoded items for
 * the second.
 */
function* sizedChunks(list: ObjectList, format: OutputFormat, frame: ListFrame): Generator<Buffer> {
  const kept: Buffer[] | undefined = listCaching(list.bytes) === 'nothing' ? undefined : [];
  let size = 0;
  for (const group of joinedGroups(list, format, frame)) {
    size += group.length;
    if (group === emptyBytes) yield emptyBytes;
    else kept?.push(group);
  }
  yield frame.head(size);
  yield* kept ?? joinedGroups(list, format, frame);
}

/** Yields groups of items with the bytes before each item, which do not depend on its position, and empty chunks. */
function* joinedGroups(list: ObjectList, format: OutputFormat, frame: ListFrame): Generator<Buffer> {
  const { encoding, representation, type } = format;
  if (representation !== undefined) {
    yield* groupChunks(representedGroups(list, representation, format), frame);
    return;
  }
  const caching = listCaching(list.bytes);
  const before = (length: number): Buffer => frame.beforeNext(length);
  for (const group of list.documents()) {
    const isKnown = encoding.knowsGroup(group);
    yield encoding.group(group, type, { before, caching });
    if (!isKnown) yield emptyBytes;
  }
}

function* groupChunks(groups: Iterable<readonly Buffer[]>, frame: ListFrame): Generator<Buffer> {
  let isFirst = true;
  for (const items of groups) {
    const buffers: Buffer[] = [];
    for (const item of items) {
      buffers.push(isFirst ? frame.beforeFirst(item.length) : frame.beforeNext(item.length), item);
      isFirst = false;
    }
    yield Buffer.concat(buffers);
    yield emptyBytes;
  }
}

function* encodedGroups(list: ObjectList, format: OutputFormat): Generator<Buffer[]> {
  const { encoding, representation, type } = format;
  if (representation !== undefined) {
    yield* representedGroups(list, representation, format);
    return;
  }
  const keep = listCaching(list.bytes) === 'groups and items';
  for (const { documents } of list.documents()) {
    yield documents().map((document) => encoding.item(document, type, { keep }));
  }
}

function* representedGroups(list: ObjectList, representation: Representation, { encoding }: OutputFormat) {
  const { compare, schemas } = representation;
  const encoded = (object: Parameters<Representation['item']>[0]): Buffer =>
    encoding.encoder.item(representation.item(object), schemas.item);
  if (compare === undefined) {
    for (const { documents } of list.documents()) yield documents().map((document) => encoded(readObject(document)));
    return;
  }
  // Sorting needs all items at once. The kinds that define an order have few objects.
  const all = [...list.documents()].flatMap(({ documents }) => documents().map(readObject)).sort(compare);
  yield all.map(encoded);
}
