import { expect, it, onTestFinished, vi } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { createMemoryStorage, type RangeOptions } from '../storage/index.ts';
import { CachedObjectStore } from './cached-object-store.ts';

const prefix = '/registry/configmaps/';
const key = (index: number): string => `${prefix}c${index}`;
const value = (text: string): Buffer => Buffer.from(`{"metadata":{"uid":"u"},"text":"${text}"}`);

async function opened(count: number) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const storage = createMemoryStorage();
  for (let index = 0; index < count; index++) {
    await storage.commit({ key: key(index), expected: 0, value: value(`${index}`) });
  }
  let read = 0;
  const range = storage.range.bind(storage);
  storage.range = async (options: RangeOptions) => {
    const result = await range(options);
    read += result.entries.length;
    return result;
  };
  const store = new CachedObjectStore({ storage, prefix, encoded: new RecentBytes(1_000_000), signal: stop.signal });
  const text = async (index: number) => (await store.get(key(index)))?.parse().text;
  return { storage, store, text, read: () => read };
}

it('reads all objects of a small type with the first one', async () => {
  const { store, text, read } = await opened(10);
  expect(await text(3)).toBe('3');
  expect(read()).toBe(10);
  expect(store.get(key(4))).toMatchObject({ key: key(4) });
});

it('reads single objects of a large type from storage', async () => {
  const { storage, text, read } = await opened(2000);
  expect(await text(1999)).toBe('1999');
  const first = read();
  expect(first).toBeLessThan(1000);
  await storage.commit({ key: key(3), expected: 4, value: value('changed') });
  expect([await text(3), await text(4), await text(5000)]).toEqual(['changed', '4', undefined]);
  expect(read()).toBe(first);
});

it.each(['a list', 'a watch'])(
  'reads all objects of a large type for %s, also while single ones are read',
  async (who) => {
    const { store, text, read } = await opened(2000);
    const one = text(7);
    const { signal } = new AbortController();
    if (who === 'a list') await store.list({ prefix, limit: 1 });
    else await store.watch({ prefix, after: 2000, onEvent() {}, onError() {}, signal });
    expect(await one).toBe('7');
    expect(read()).toBeGreaterThanOrEqual(2000);
    expect(store.get(key(8))).toMatchObject({ key: key(8) });
  },
);

it('reads all objects of a large type if many single ones are read', async () => {
  const { store, text } = await opened(2000);
  for (let index = 0; index < 200; index++) expect(await text(index)).toBe(`${index}`);
  await vi.waitUntil(() => !(store.get(key(1)) instanceof Promise));
});
