import { expect, onTestFinished, test } from 'vitest';
import type { Change } from '../storage.ts';
import { openDatabase } from './database.ts';
import { unpackVersions } from './packed-versions.ts';
import { type CountReply, type ReplayRequest, revisionOfPrevious } from './protocol.ts';
import { Store } from './store.ts';
import { temporaryDirectory } from './temporary-directory.conformance.ts';

const all = { start: '/', end: '0' };

test('counts in chunks that end between two keys, however many rows a key has', async () => {
  const store = await openStore();
  const value = Buffer.from('x');
  const create = (name: string, count: number): Change[] =>
    Array.from({ length: count }, (_, index) => ({ key: `/${name}/${index}`, expected: 0, value }));
  store.commit(create('a', 3000));
  const { revision } = store.commit([{ key: '/hot', expected: 0, value }]);
  store.commit(Array.from({ length: 5000 }, (_, index) => ({ key: '/hot', expected: revision + index, value })));
  store.commit(create('z', 3000));
  const chunks = count(store, store.revision);
  expect(chunks.reduce((sum, chunk) => sum + chunk.count, 0)).toBe(6001);
  expect(chunks.map((chunk) => chunk.next)).toEqual(['/hot', '/hot\0', undefined]);
  expect(count(store, 3000).reduce((sum, chunk) => sum + chunk.count, 0)).toBe(3000);
});

test('a chunk at a past revision limits the number of newer rows it skips', async () => {
  const store = await openStore();
  const value = Buffer.from('x');
  const { revision } = store.commit(['/a', '/z'].map((key) => ({ key, expected: 0, value })));
  store.commit(Array.from({ length: 10_000 }, (_, index) => ({ key: `/m/${index}`, expected: 0, value })));
  const keys: (readonly string[])[] = [];
  let next: string | undefined = all.start;
  while (next !== undefined) {
    const chunk = store.range({ ...all, start: next, limit: 10, revision });
    keys.push(chunk.keys);
    next = chunk.next;
  }
  expect(keys).toEqual([['/a'], [], ['/z']]);
});

test('a database without the index of deletions gets one on open', async () => {
  const directory = await temporaryDirectory();
  const before = openDatabase(directory);
  new Store(before.database, { compacted: 0 }).commit([
    { key: '/a', expected: 0, value: Buffer.from('x') },
    { key: '/b', expected: 0, value: Buffer.from('x') },
    { key: '/b', expected: 2, value: undefined },
  ]);
  before.database.exec('DROP INDEX history_deletions');
  before.close();
  const store = await openStore(directory);
  expect(count(store, 2)).toEqual([{ count: 2 }]);
  expect(count(store, 3)).toEqual([{ count: 1 }]);
});

test('the events of a range with few rows are read without those of other keys', async () => {
  const store = await openStore();
  const other = (name: string): Change[] =>
    Array.from({ length: 3000 }, (_, index) => ({ key: `/m/${name}-${index}`, expected: 0, value: Buffer.from('x') }));
  const change = (key: string, expected: number, size?: number): Change => ({
    key,
    expected,
    value: size === undefined ? undefined : Buffer.alloc(size, 'x'),
  });
  store.commit([change('/few/a', 0, 1), change('/few2/a', 0, 1), ...other('p')]);
  store.commit([change('/few/b', 0, 200_000), change('/few/c', 0, 200_000), change('/few/a', 1, 1), ...other('q')]);
  store.commit([change('/few/b', 3003), change('/few/b', 0, 1)]);
  // A chunk ends after 256 KB of values, of which the last change has one in its previous version.
  expect(chunks(store, { after: 0, prefix: '/few/' })).toEqual([
    { through: 3004, events: ['1 /few/a 0>1', '3003 /few/b 0>200000', '3004 /few/c 0>200000'] },
    { through: 6007, events: ['3005 /few/a 1>1', '6006 /few/b 200000>0', '6007 /few/b 0>1'] },
  ]);
  expect(chunks(store, { after: 1, prefix: '/few2/' })).toEqual([{ through: 6007, events: ['2 /few2/a 0>1'] }]);
  const eventsOf = (prefix: string): string[] => chunks(store, { after: 0, prefix }).flatMap(({ events }) => events);
  const all = eventsOf('');
  expect(all).toHaveLength(6007);
  for (const prefix of ['/few/', '/few2/', '/few/b', '/m/', '/none/']) {
    expect(eventsOf(prefix)).toEqual(all.filter((event) => event.split(' ')[1]!.startsWith(prefix)));
  }
  expect(chunks(store, { after: 0, prefix: '/m/' }).map(({ through }) => through)).toEqual([2048, 4096, 6007]);
});

test('a change that follows another one is not applied to what a third has written', async () => {
  const store = await openStore();
  const change = (expected: number, text: string): Change => ({ key: '/k', expected, value: Buffer.from(text) });
  const { revisions } = store.commit([
    change(0, 'of another thread'),
    change(0, 'too late'),
    change(revisionOfPrevious, 'after it'),
  ]);
  expect(revisions).toEqual([1, 0, 0]);
  expect(store.commit([change(1, 'a'), change(revisionOfPrevious, 'b')]).revisions).toEqual([2, 3]);
});

async function openStore(directory?: string): Promise<Store> {
  const { database, close } = openDatabase(directory ?? (await temporaryDirectory()));
  onTestFinished(close);
  return new Store(database, { compacted: 0 });
}

function count(store: Store, revision: number): CountReply[] {
  const chunks: CountReply[] = [];
  for (let start: string | undefined = all.start; start !== undefined; start = chunks.at(-1)?.next) {
    chunks.push(store.count({ ...all, start, revision }));
  }
  return chunks;
}

/** All chunks of a replay. An event is its revision, its key and the sizes of the values before and after it. */
function chunks(store: Store, { after, prefix }: ReplayRequest) {
  const found: { through: number; events: string[] }[] = [];
  for (let position = after; position < store.revision; ) {
    const { through, revisions, keys, versions } = store.replay({ after: position, prefix });
    const sizes = unpackVersions(versions).map((version) => version?.value.length ?? 0);
    const events = revisions.map((revision, at) => `${revision} ${keys[at]} ${sizes[2 * at + 1]}>${sizes[2 * at]}`);
    found.push({ through, events });
    position = through;
  }
  return found;
}
