import { expect, it } from 'vitest';
import { type NamespaceCondition, nextConditions } from './namespace-conditions.ts';

const nothing = { held: [], errors: [], undiscovered: [] };
const trueConditions = (conditions: readonly NamespaceCondition[] = []): string[] =>
  conditions
    .filter(({ status }) => status === 'True')
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);

it('report failures', () => {
  const errors = [new Error('b'), new Error('a')];
  const conditions = nextConditions([], { held: [], errors, undiscovered: ['example.com/v1'] });
  expect(trueConditions(conditions)).toEqual([
    'NamespaceDeletionDiscoveryFailure DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: example.com/v1: stale GroupVersion discovery: example.com/v1',
    'NamespaceDeletionContentFailure ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a, b',
  ]);
});

it('change only when there is something new', () => {
  const foreign = { type: 'Other', status: 'True' };
  const first = nextConditions([foreign], { ...nothing, errors: [new Error('a')] })!;
  expect(first.at(-1)).toBe(foreign);
  expect(nextConditions(first, { ...nothing, errors: [new Error('a')] })).toBeUndefined();
  const old = first.map((condition) => ({ ...condition, lastTransitionTime: '2020-01-01T00:00:00Z' }));
  const second = nextConditions(old, { ...nothing, errors: [new Error('b')] })!;
  const failure = second.find(({ type }) => type === 'NamespaceDeletionContentFailure');
  expect(failure).toMatchObject({ lastTransitionTime: '2020-01-01T00:00:00Z', message: expect.stringMatching(/: b$/) });
  const third = nextConditions(second, nothing)!;
  expect(trueConditions(third.slice(0, 5))).toEqual([]);
  const fine = third.find(({ type }) => type === 'NamespaceDeletionContentFailure');
  expect(fine?.lastTransitionTime).not.toBe('2020-01-01T00:00:00Z');
});
