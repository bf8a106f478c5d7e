import { expect, test } from 'vitest';
import type { StorageEvent } from '../storage.ts';
import { RecentEvents } from './recent-events.ts';

const event = (revision: number, bytes = 1): StorageEvent => ({
  revision,
  key: '/k',
  value: Buffer.alloc(bytes),
  createRevision: revision,
  previous: undefined,
});
const revisions = (events: readonly StorageEvent[]): number[] => events.map(({ revision }) => revision);

test('keeps the newest events, and knows from where on they are complete', () => {
  const recent = new RecentEvents(10, { maxEvents: 3, maxBytes: 10_000 });
  expect([recent.start, recent.after(10)]).toEqual([10, []]);
  recent.add([event(11), event(12), event(12)]);
  expect([recent.start, revisions(recent.after(10))]).toEqual([10, [11, 12, 12]]);
  recent.add([event(15), event(16)]);
  expect([recent.start, revisions(recent.after(12))]).toEqual([12, [15, 16]]);
  expect(revisions(recent.after(15))).toEqual([16]);
  expect(revisions(recent.after(16))).toEqual([]);
  for (let revision = 17; revision < 100; revision++) recent.add([event(revision)]);
  expect([recent.start, revisions(recent.after(97))]).toEqual([96, [98, 99]]);
});

test('is limited in bytes', () => {
  const recent = new RecentEvents(0, { maxEvents: 100, maxBytes: 10_000 });
  recent.add([event(1, 4000), event(2, 4000), event(3, 4000)]);
  expect([recent.start, revisions(recent.after(1))]).toEqual([1, [2, 3]]);
  recent.add([event(4, 20_000)]);
  expect([recent.start, revisions(recent.after(4))]).toEqual([4, []]);
});

test('starts anew', () => {
  const recent = new RecentEvents(0, { maxEvents: 100, maxBytes: 10_000 });
  recent.add([event(1)]);
  recent.clear(50);
  expect([recent.start, recent.after(50)]).toEqual([50, []]);
});
