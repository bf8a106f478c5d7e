import { expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { createMemoryStorage } from '../storage/index.ts';
import { CachedObjectStore } from './cached-object-store.ts';
import type { ListResult, ObjectEvent } from './object-store.ts';
import type { Slab } from './slab.ts';

const prefix = '/registry/things/';
const count = 300;
const rounds = 20;

function text({ runs }: ListResult): string[] {
  return runs.flatMap(({ objects }) => objects.map(({ bytes }) => bytes.toString()));
}

it('past states, lists and events keep their bytes while objects are moved', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const storage = createMemoryStorage();
  const store = new CachedObjectStore({ storage, prefix, encoded: new RecentBytes(1_000_000), signal: stop.signal });
  const events: ObjectEvent[] = [];
  const views: Buffer[] = [];
  const onEvent = (event: ObjectEvent): void => {
    events.push(event);
    views.push(event.object.bytes);
  };
  await store.watch({ prefix, after: 0, onEvent, onError() {}, signal: stop.signal });
  const document = new Map<string, string>();
  const received: string[] = [];
  const states = new Map<number, { readonly expected: string[]; readonly listed: ListResult }>();
  const slabs = new Set<Slab>();
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < count; index++) {
      // Some objects stay unchanged, so that every slab has one that must be moved.
      if (round > 0 && (index * 7 + round) % 10 < 3) continue;
      const key = `${prefix}t${String(index).padStart(3, '0')}`;
      const value = `{"metadata":{"uid":"u"},"text":"${round} ${index} ${'z'.repeat((index * 13) % 900)}"}`;
      const { object } = await store.update(key, () => ({ action: 'put', value: Buffer.from(value) }));
      document.set(key, value.replace('"u"', `"u","resourceVersion":"${object!.revision}"`).concat('\n'));
      received.push(document.get(key)!);
    }
    const listed = await store.list({ prefix, limit: 0 });
    for (const { objects } of listed.runs) for (const { slab } of objects) slabs.add(slab);
    states.set(listed.revision, { expected: [...document.values()], listed });
  }
  for (const [revision, { expected, listed }] of states) {
    expect(text(listed)).toEqual(expected);
    expect(text(await store.list({ prefix, limit: 0, revision }))).toEqual(expected);
  }
  expect(views.map(String)).toEqual(received);
  expect(events.map(({ object }) => object.bytes.toString())).toEqual(received);
  // Otherwise nothing was moved, and the test would check nothing.
  expect([...slabs].filter(({ isSparse }) => isSparse).length).toBeGreaterThan(3);
});
