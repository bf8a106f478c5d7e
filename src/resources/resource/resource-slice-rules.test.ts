import { expect, it } from 'vitest';
import { recordExplicitEmpty } from '../../schema/explicit-empty.ts';
import { resourceSliceRules } from './resource-slice-rules.ts';

const pool = { name: 'p', resourceSliceCount: 1 };
const counters = [{ name: 'c', counters: { a: { value: '1' } } }];

it.each<[string, object, string | undefined, readonly string[]]>([
  ['devices', { devices: [{ name: 'd' }] }, undefined, []],
  ['counters', { sharedCounters: counters }, undefined, []],
  ['both', { devices: [{ name: 'd' }], sharedCounters: counters }, undefined, ['spec']],
  ['counters and an empty list of devices', { sharedCounters: counters }, 'devices', ['spec']],
])('a slice has devices or counters: %s', (_name, content, empty, fields) => {
  const spec = { driver: 'd.example.com', pool, allNodes: true, ...content };
  if (empty !== undefined) recordExplicitEmpty(spec, empty);
  const errors = resourceSliceRules.validate!({ metadata: { name: 's' }, spec });
  expect(errors.map(({ field }) => field)).toEqual(fields);
});
