import type { StoredEntry } from '../../storage/index.ts';
import { keyOrder } from '../../storage/key-order.ts';
import { EntryDigest } from '../compare.ts';
import { type Source, wrongRevision } from '../source.ts';
import { TransferError } from '../transfer-error.ts';
import { readEnd, readEntry, readHead } from './entry-line.ts';
import { readLines } from './read-lines.ts';

const groupSize = 500;

/** The objects of a file that `fileTarget` has written. Fails with a `TransferError` when it is not such a file. */
export async function fileSource(path: string): Promise<Source> {
  const revision = await revisionOf(path);
  const source: Source = {
    revision,
    count: undefined,
    entries: (after) => entriesOf(path, after),
    async at(other) {
      if (other === revision) return source;
      throw wrongRevision(other);
    },
    async close() {},
  };
  return source;
}

async function revisionOf(path: string): Promise<number> {
  for await (const { bytes } of readLines(path)) {
    const head = readHead(bytes);
    if (head !== undefined) return head.revision;
    break;
  }
  throw new TransferError(`${path} is neither a file of objects nor a snapshot of etcd`);
}

async function* entriesOf(path: string, after: string | undefined): AsyncGenerator<readonly StoredEntry[]> {
  const digest = new EntryDigest();
  const first = after === undefined ? '' : keyOrder(after);
  let group: StoredEntry[] = [];
  let number = 0;
  let last = '';
  let isComplete = false;
  for await (const { bytes } of readLines(path)) {
    number += 1;
    if (number === 1) continue;
    const entry = isComplete ? undefined : readEntry(bytes);
    if (entry === undefined) {
      const end = isComplete ? undefined : readEnd(bytes);
      if (end === undefined) throw new TransferError(`line ${number} of ${path} is not that of an object`);
      const isWhole = end.count === digest.count && end.sha256 === digest.finish();
      if (!isWhole) throw new TransferError(`${path} has been modified: its objects do not match its last line`);
      isComplete = true;
      continue;
    }
    const order = keyOrder(entry.key);
    if (order <= last) throw new TransferError(`line ${number} of ${path} is not in the order of keys`);
    last = order;
    digest.add(entry.key, entry.value);
    if (order > first) group.push(entry);
    if (group.length >= groupSize) {
      yield group;
      group = [];
    }
  }
  if (!isComplete) throw new TransferError(`${path} is incomplete: its end is missing`);
  if (group.length > 0) yield group;
}
