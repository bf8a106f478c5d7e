import { expect, it } from 'vitest';
import type { ObjectEvent } from '../object-store.ts';
import { StoredObject } from '../stored-object.ts';
import { EventWindow } from './event-window.ts';

function event(revision: number): ObjectEvent {
  const value = Buffer.from('{"metadata":{"uid":"u"}}');
  return { type: 'ADDED', object: StoredObject.fromValue({ key: '/k', value, revision }), previous: undefined };
}

const revisions = (window: EventWindow, after: number) => window.after(after).map(({ object }) => object.revision);

it('has what came after a revision, in order', () => {
  const window = new EventWindow({ capacity: 10, after: 5 });
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
  const window = new EventWindow({ capacity, after: 0 });
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
