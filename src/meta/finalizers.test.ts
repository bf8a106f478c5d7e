import { expect, test } from 'vitest';
import { finalizerWarnings } from './finalizers.ts';

const advice = 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';

test('warns about each new finalizer without a domain', () => {
  expect(finalizerWarnings(['y', 'a.b/c', 'x', 'orphan', 'foregroundDeletion'])).toEqual([
    `metadata.finalizers: "x": ${advice}`,
    `metadata.finalizers: "y": ${advice}`,
  ]);
});

test('does not warn about existing finalizers', () => {
  expect(finalizerWarnings(['x', 'y'], ['x'])).toEqual([`metadata.finalizers: "y": ${advice}`]);
  expect(finalizerWarnings(undefined, ['x'])).toEqual([]);
});
