import { expect, test } from 'vitest';
import { capUpdaters } from './cap-updaters.ts';
import { FieldSet, printPath } from './field-set.ts';
import { identityOf, type ManagedEntry } from './managed-entry.ts';

const entry = (index: number, rest: Partial<ManagedEntry> = {}): ManagedEntry => ({
  manager: `m${String(index).padStart(2, '0')}`,
  operation: 'Update',
  apiVersion: 'v1',
  time: new Date(index * 1000).toISOString(),
  subresource: '',
  fields: FieldSet.ofPaths([`f:${index}`]),
  ...rest,
});

function cap(entries: readonly ManagedEntry[]): string[] {
  const capped = capUpdaters(new Map(entries.map((one) => [identityOf(one), one])));
  return [...capped.values()]
    .map(({ manager, apiVersion, fields }) => `${manager} ${apiVersion} ${fields.paths().map(printPath).join('')}`)
    .sort();
}

const some = (count: number, rest?: Partial<ManagedEntry>) =>
  Array.from({ length: count }, (_, index) => entry(index, rest));

test('ten update entries are kept', () => {
  expect(cap(some(10))).toHaveLength(10);
});

test('the oldest update entries above the limit are merged', () => {
  const capped = cap(some(12));
  expect(capped).toHaveLength(10);
  expect(capped[0]).toBe('ancient-changes v1 .0.1.2');
  expect(capped[1]).toBe('m03 v1 .3');
});

test('more entries are merged into an existing merged entry', () => {
  const capped = cap([entry(0, { manager: 'ancient-changes' }), ...some(11).slice(1), entry(20)]);
  expect(capped).toHaveLength(10);
  expect(capped[0]).toBe('ancient-changes v1 .0.1.2');
});

test('entries are merged per version', () => {
  const old = some(6, { apiVersion: 'v0' });
  const capped = cap([...old, ...Array.from({ length: 6 }, (_, index) => entry(index + 6))]);
  expect(capped).toHaveLength(10);
  expect(capped[0]).toBe('ancient-changes v0 .0.1.2');
});

test('apply entries do not count towards the limit', () => {
  expect(
    cap([...some(10), ...Array.from({ length: 5 }, (_, index) => entry(index + 20, { operation: 'Apply' }))]),
  ).toHaveLength(15);
});

test('entries without a time count as the oldest', () => {
  expect(cap([...some(10), entry(30, { time: undefined })])[0]).toBe('ancient-changes v1 .0.30');
});
