import { expect, it } from 'vitest';
import type { ObjectEvent } from '../object-store.ts';
import { StoredObject } from '../stored-object.ts';
import { EventWindow } from './event-window.ts';

function event(revision: number, filling = ''): ObjectEvent {
  const value = Buffer.from(`{"metadata":{"uid":"u"},"filling":"${filling}"}`);
  return { type: 'ADDED', object: StoredObject.fromValue({ key: '/k', value, revision }), previous: undefined };
}

const limits = { minCapacity: 4, maxCapacity: 32, span: 1000, bytes: 1_000_000 };
const revisions = (window: EventWindow, after: number) => window.after(after).map(({ object }) => object.revision);

it('returns the events after a revision, in order', () => {
  const window = new EventWindow({ ...limits, after: 5 });
  for (const revision of [7, 8, 12]) window.push(event(revision), 0);
  expect(window.floor).toBe(5);
  expect(revisions(window, 5)).toEqual([7, 8, 12]);
  expect(revisions(window, 7)).toEqual([8, 12]);
  expect(revisions(window, 9)).toEqual([12]);
  expect(revisions(window, 12)).toEqual([]);
  expect(revisions(window, 99)).toEqual([]);
});

/** The number of kept events after each push, for events that arrive at this interval. */
function kept(
  window: EventWindow,
  { events, interval, from = 1 }: { events: number; interval: number; from?: number },
) {
  const counts: number[] = [];
  for (let revision = from; revision < from + events; revision++) {
    window.push(event(revision), revision * interval);
    const { floor } = window;
    const found = revisions(window, floor);
    // All events after the floor are present, without a gap.
    expect(found).toEqual(Array.from({ length: revision - floor }, (_, index) => floor + 1 + index));
    counts.push(found.length);
  }
  return counts;
}

it('keeps few events if they are infrequent', () => {
  expect(kept(new EventWindow({ ...limits, after: 0 }), { events: 20, interval: 2000 }).slice(4)).toEqual(
    Array.from({ length: 16 }, () => 4),
  );
});

it('grows up to its limit while it covers too short a time', () => {
  const counts = kept(new EventWindow({ ...limits, after: 0 }), { events: 100, interval: 100 });
  expect(counts[15]).toBe(16);
  expect(Math.max(...counts)).toBe(16);
  expect(Math.max(...kept(new EventWindow({ ...limits, after: 0 }), { events: 100, interval: 1 }))).toBe(32);
});

it('shrinks when it covers more time than needed', () => {
  const window = new EventWindow({ ...limits, after: 0 });
  kept(window, { events: 100, interval: 1 });
  expect(kept(window, { events: 100, interval: 2000, from: 101 }).at(-1)).toBe(4);
});

it('keeps fewer events when they are large, but always the newest', () => {
  const window = new EventWindow({ ...limits, minCapacity: 100, bytes: 40_000, after: 0 });
  for (let revision = 1; revision <= 60; revision++) {
    window.push(event(revision, 'x'.repeat(1_000)), 0);
    const found = window.after(window.floor);
    expect(found.at(-1)!.object.revision).toBe(revision);
    expect(found[0]!.object.revision).toBe(window.floor + 1);
    expect(found.reduce((sum, { object }) => sum + object.bytes.length, 0)).toBeLessThanOrEqual(40_000);
  }
  window.push(event(61, 'x'.repeat(50_000)), 0);
  expect(revisions(window, window.floor)).toEqual([61]);
  for (let revision = 62; revision <= 70; revision++) window.push(event(revision), 0);
  expect(revisions(window, window.floor)).toEqual(Array.from({ length: 9 }, (_, index) => 62 + index));
});
