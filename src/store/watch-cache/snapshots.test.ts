import { expect, it } from 'vitest';
import { RecentBytes } from '../../codec/recent-bytes.ts';
import { OrderedObjects } from './ordered-objects.ts';
import { Snapshots } from './snapshots.ts';

/** States of the revisions 1 and 2, 5 and 6, 9 and 10 ... each replaced at the time of the next revision. */
function snapshots() {
  const kept = new Snapshots();
  const states = new Map<number, OrderedObjects>();
  for (let revision = 1; revision < 20; revision += 4) {
    const objects = OrderedObjects.empty(new RecentBytes(0));
    states.set(revision, objects);
    kept.add({ revision, end: revision + 2, objects }, revision + 2);
  }
  return { kept, states };
}

it('returns the kept states, and nothing for the revisions between them', () => {
  const { kept, states } = snapshots();
  for (let revision = 0; revision < 30; revision++) {
    expect(kept.at(revision)).toBe(states.get(revision) ?? states.get(revision - 1));
  }
});

it.each([6, 7])('drops the states before revision %i, but not that of the revision', (revision) => {
  const { kept, states } = snapshots();
  kept.dropBefore(revision);
  expect(kept.at(2)).toBeUndefined();
  expect(kept.at(6)).toBe(revision === 6 ? states.get(5) : undefined);
  expect(kept.at(9)).toBe(states.get(9));
});

it('drops a state some time after it was replaced', () => {
  const { kept, states } = snapshots();
  // The state of revision 5 was replaced at time 7.
  kept.dropOverBy(6);
  expect(kept.at(5)).toBe(states.get(5));
  kept.dropOverBy(7);
  expect(kept.at(5)).toBeUndefined();
  expect(kept.at(9)).toBe(states.get(9));
  kept.dropOverBy(1000);
  expect(kept.size).toBe(0);
});
