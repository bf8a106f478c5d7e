import { expect, it } from 'vitest';
import { type DefaultDependents, type DependentsOptions, deletionFinalizers } from './deletion-finalizers.ts';

const hold = 'example.com/hold';
const background = { propagationPolicy: 'Background' };
const foreground = { propagationPolicy: 'Foreground' };
const orphan = { propagationPolicy: 'Orphan' };

it.each<[string[], DependentsOptions, DefaultDependents, string[]]>([
  [[], {}, 'deleted', []],
  [[], {}, 'kept', ['orphan']],
  [[], {}, 'none', []],
  [[hold], foreground, 'deleted', [hold, 'foregroundDeletion']],
  [[hold], orphan, 'deleted', [hold, 'orphan']],
  [[hold], background, 'deleted', [hold]],
  [[hold], { orphanDependents: true }, 'deleted', [hold, 'orphan']],
  [[], { orphanDependents: false }, 'kept', []],
  [['foregroundDeletion', hold], {}, 'kept', ['foregroundDeletion', hold]],
  [['foregroundDeletion', hold], orphan, 'deleted', [hold, 'orphan']],
  [['orphan'], foreground, 'deleted', ['foregroundDeletion']],
  [['orphan', hold], background, 'deleted', [hold]],
  [['orphan', hold], {}, 'deleted', ['orphan', hold]],
  [['orphan', hold], orphan, 'none', [hold]],
])('%j with %j, by default %s: %j', (finalizers, choice, byDefault, expected) => {
  expect(deletionFinalizers(finalizers, choice, byDefault)).toEqual(expected);
});

it('returns the same list when nothing changes', () => {
  const finalizers = ['foregroundDeletion', hold];
  expect(deletionFinalizers(finalizers, foreground)).toBe(finalizers);
});
