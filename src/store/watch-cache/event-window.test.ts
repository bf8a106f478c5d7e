import { expect, it } from 'vitest';
import type { ObjectEvent } from '../object-store.ts';
import { StoredObject } from '../stored-object.ts';
import { EventWindow } from './event-window.ts';

function event(revision: number, filling = ''): ObjectEvent {
  const value = Buffer.from(`{"metadata":{"uid":"u"},"filling":"${filling}"}`);
  return { type: 'ADDED', object: StoredObject.fromValue({ key: '/k', value, revision }), previous: undefined };
}

const revisions = (window: EventWindow, after: number) => window.after(after).map(({ object }) => object.revision);

it('has what came after a revision, in order', () => {
  const window = new EventWindow({ capacity: 10, bytes: 1_000_000, after: 5 });
  for (const revision of [7, 8, 12]) window.push(event(revision));
  expect(window.floor).toBe(5);
  expect(revisions(window, 5)).toEqual([7, 8, 12]);
  expect(revisions(window, 7)).toEqual([8, 12]);
  expect(revisions(window, 9)).toEqual([12]);
  expect(revisions(window, 12)).toEqual([]);
  expect(revisions(window, 99)).toEqual([]);
});

it('never says that it has what it has dropped', () => {
  const capacity = 4;
  const window = new EventWindow({ capacity, bytes: 1_000_000, after: 0 });
  for (let revision = 1; revision <= 50; revision++) {
    window.push(event(revision));
    const { floor } = window;
    const kept = revisions(window, floor);
    // Everything behind the floor is there, without a gap, and it is always as much as was promised.
    expect(kept).toEqual(Array.from({ length: revision - floor }, (_, index) => floor + 1 + index));
    expect(kept.length).toBeGreaterThanOrEqual(Math.min(revision, capacity));
    expect(kept.length).toBeLessThan(2 * capacity);
  }
});

it('keeps fewer events when they are large, but always the newest', () => {
  const window = new EventWindow({ capacity: 100, bytes: 10_000, after: 0 });
  for (let revision = 1; revision <= 60; revision++) {
    window.push(event(revision, 'x'.repeat(1_000)));
    const kept = window.after(window.floor);
    expect(kept.at(-1)!.object.revision).toBe(revision);
    expect(kept[0]!.object.revision).toBe(window.floor + 1);
    expect(kept.reduce((sum, { object }) => sum + object.bytes.length, 0)).toBeLessThanOrEqual(10_000);
  }
  window.push(event(61, 'x'.repeat(50_000)));
  expect(revisions(window, window.floor)).toEqual([61]);
  for (let revision = 62; revision <= 70; revision++) window.push(event(revision));
  expect(revisions(window, window.floor)).toEqual(Array.from({ length: 9 }, (_, index) => 62 + index));
});
