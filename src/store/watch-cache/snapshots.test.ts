import { expect, it } from 'vitest';
import { RecentBytes } from '../../codec/recent-bytes.ts';
import { OrderedObjects } from './ordered-objects.ts';
import { Snapshots } from './snapshots.ts';

/** States of the revisions 1, 3, 5 ... 19, each added at the time of its revision. */
function snapshots() {
  const kept = new Snapshots();
  const states = new Map<number, OrderedObjects>();
  for (let revision = 1; revision < 20; revision += 2) {
    const objects = OrderedObjects.empty(new RecentBytes(0));
    states.set(revision, objects);
    kept.add({ revision, objects }, revision);
  }
  return { kept, states };
}

it('returns the state of every revision since the first', () => {
  const { kept, states } = snapshots();
  expect(kept.at(0)).toBeUndefined();
  for (let revision = 1; revision < 20; revision++) {
    expect(kept.at(revision)).toBe(states.get(revision % 2 === 1 ? revision : revision - 1));
  }
  expect(kept.at(1000)).toBe(states.get(19));
});

it.each([4, 5])('drops the states before revision %i, but not that of the revision', (revision) => {
  const { kept, states } = snapshots();
  kept.dropBefore(revision);
  expect(kept.at(revision)).toBe(states.get(revision === 4 ? 3 : 5));
  expect(kept.at(2)).toBeUndefined();
  kept.dropBefore(1);
  expect(kept.at(revision)).toBeDefined();
});

it('drops a state some time after it was replaced', () => {
  const { kept, states } = snapshots();
  // The state of revision 3 was replaced at time 5.
  kept.dropOverBy(4);
  expect(kept.at(3)).toBe(states.get(3));
  kept.dropOverBy(5);
  expect(kept.at(4)).toBeUndefined();
  expect(kept.at(5)).toBe(states.get(5));
});

it('never drops the current state', () => {
  const { kept, states } = snapshots();
  kept.dropBefore(1000);
  kept.dropOverBy(1000);
  expect(kept.size).toBe(1);
  expect(kept.at(1000)).toBe(states.get(19));
});
