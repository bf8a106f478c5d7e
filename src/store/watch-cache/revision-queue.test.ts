import { expect, it } from 'vitest';
import { RevisionQueue } from './revision-queue.ts';

it('finds entries by revision unless they were dropped', () => {
  const queue = new RevisionQueue<{ revision: number }>();
  const model: number[] = [];
  for (let revision = 2; revision <= 400; revision += 2) {
    queue.push({ revision });
    model.push(revision);
    if (revision % 6 === 0) expect(queue.shift()?.revision).toBe(model.shift());
    expect(queue.length).toBe(model.length);
    for (const requested of [0, model[0]! - 1, model[0]!, model[0]! + 1, revision - 1, revision, revision + 1]) {
      const index = queue.indexAfter(requested);
      expect(queue.from(index).map((entry) => entry.revision)).toEqual(model.filter((kept) => kept > requested));
      expect(queue.at(index - 1)?.revision).toBe(model.findLast((kept) => kept <= requested));
    }
  }
  while (model.length > 0) expect(queue.shift()?.revision).toBe(model.shift());
  expect(queue.shift()).toBeUndefined();
  expect(queue.length).toBe(0);
});
