import { describe, expect, it } from 'vitest';
import { DelegatingStorage } from '../storage/delegating-storage.ts';
import { createMemoryStorage, type Storage, type WatchOptions } from '../storage/index.ts';
import { CorruptObjectError } from './corrupt-object.ts';
import type { ObjectEvent } from './object-store.ts';
import { PastEvents } from './past-events.ts';

const prefix = '/registry/things/';
const resource = { group: '', resource: 'things' };
/** With this size, a page has three events. */
const large = 400_000;

/** Counts the reads of history, and can delay them. */
class CountingStorage extends DelegatingStorage {
  reads = 0;
  ended = 0;
  open: Promise<void> = Promise.resolve();

  override async watch(options: WatchOptions): Promise<void> {
    this.reads += 1;
    options.signal.addEventListener('abort', () => this.ended++, { once: true });
    await this.open;
    await super.watch(options);
  }
}

async function put(storage: Storage, name: string, value: Buffer): Promise<void> {
  const current = await storage.get(prefix + name);
  const { committed } = await storage.commit({ key: prefix + name, value, expected: current?.modRevision ?? 0 });
  expect(committed).toBe(true);
}

/** Storage with this number of events, whose revisions begin with 1. */
async function filled(count: number, size = 10) {
  const storage = new CountingStorage(createMemoryStorage());
  for (let index = 0; index < count; index++) {
    const object = { metadata: { name: `n${index}`, uid: `u${index}` }, data: 'x'.repeat(size) };
    await put(storage, `n${index}`, Buffer.from(JSON.stringify(object)));
  }
  const events = new PastEvents({ storage, prefix, resource, kind: undefined });
  const read = async (after: number, through = count, signal = new AbortController().signal): Promise<number[]> => {
    const revisions: number[] = [];
    for await (const page of events.read({ scope: { prefix }, after, through, signal })) {
      revisions.push(...page.map(({ object }: ObjectEvent) => object.revision));
    }
    return revisions;
  };
  return { storage, events, read };
}

const revisions = (after: number, through: number): number[] =>
  Array.from({ length: through - after }, (_, index) => after + 1 + index);

describe('past events', () => {
  it.each([
    { name: 'the same revision', starts: [0, 0, 0, 0], reads: 4 },
    { name: 'revisions within a page', starts: [0, 1, 2, 1], reads: 4 },
    { name: 'revisions that are not in order', starts: [7, 4, 1], reads: 6 },
  ])('are read once by watches from $name', async ({ starts, reads }) => {
    const { storage, read } = await filled(12, large);
    const all = await Promise.all(starts.map((after) => read(after)));
    expect(all).toEqual(starts.map((after) => revisions(after, 12)));
    expect(storage.reads).toBeLessThanOrEqual(reads);
  });

  it('are read again by later watches', async () => {
    const { storage, read } = await filled(3);
    expect(await read(0)).toEqual([1, 2, 3]);
    expect(await read(0)).toEqual([1, 2, 3]);
    expect(storage.reads).toBe(2);
  });

  it('end at the last revision of each watch', async () => {
    const { read } = await filled(12, large);
    const ranges = [
      { after: 0, through: 12 },
      { after: 0, through: 2 },
      { after: 1, through: 7 },
      { after: 5, through: 6 },
    ];
    const all = await Promise.all(ranges.map(({ after, through }) => read(after, through)));
    expect(all).toEqual(ranges.map(({ after, through }) => revisions(after, through)));
  });

  it('are not shared by watches of an object and of a prefix', async () => {
    const { storage, events, read } = await filled(3);
    await put(storage, 'n1x', Buffer.from('{"metadata":{"name":"n1x","uid":"x"}}'));
    const { signal } = new AbortController();
    const ofOne = async (): Promise<string[]> => {
      const keys: string[] = [];
      const scope = { prefix, key: `${prefix}n1` };
      for await (const page of events.read({ scope, after: 0, through: 4, signal })) {
        keys.push(...page.map(({ object }) => object.key));
      }
      return keys;
    };
    expect(await Promise.all([read(0, 4), ofOne()])).toEqual([[1, 2, 3, 4], [`${prefix}n1`]]);
  });

  it('are delivered to a watch when another one ends that began to read them', async () => {
    const { storage, read } = await filled(3);
    const delay = Promise.withResolvers<void>();
    storage.open = delay.promise;
    const leaving = new AbortController();
    const left = read(0, 3, leaving.signal);
    const stays = read(0);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    delay.resolve();
    expect(await stays).toEqual([1, 2, 3]);
    expect(storage.reads).toBe(1);
  });

  it('are not read to the end when nobody waits for them', async () => {
    const { storage, read } = await filled(3);
    storage.open = new Promise(() => {});
    const leaving = new AbortController();
    const all = [read(0, 3, leaving.signal), read(0, 3, leaving.signal)];
    leaving.abort(new Error('gone'));
    for (const outcome of await Promise.allSettled(all)) expect(outcome).toMatchObject({ reason: { message: 'gone' } });
    expect(storage.ended).toBe(1);
  });

  it('fail only for watches that begin before an unreadable one', async () => {
    const { storage, read } = await filled(2);
    await put(storage, 'n2', Buffer.from('{"metadata"'));
    await put(storage, 'n3', Buffer.from('{"metadata":{"name":"n3","uid":"u3"}}'));
    const [fails, works] = await Promise.allSettled([read(0, 4), read(3, 4)]);
    expect(fails).toMatchObject({ status: 'rejected', reason: expect.any(CorruptObjectError) });
    expect(works).toEqual({ status: 'fulfilled', value: [4] });
  });
});
