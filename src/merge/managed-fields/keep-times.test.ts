import { expect, test } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { keepTimes } from './keep-times.ts';

const entry = (manager: string, time: string, field = 'f:a') => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: { [field]: {} },
});
const object = (managedFields: unknown[] | undefined, value = 1): ResourceObject => ({
  metadata: { name: 'x', ...(managedFields && { managedFields }) },
  value,
});
const old = [entry('a', '1'), entry('b', '2')];

test.each<[string, ResourceObject, ResourceObject, 'live' | 'next']>([
  ['only a time changes', object(old), object([entry('a', '1'), entry('b', '3')]), 'live'],
  ['times and therefore the order change', object(old), object([entry('b', '0'), entry('a', '3')]), 'live'],
  ['a value changes', object(old), object([entry('a', '1'), entry('b', '3')], 2), 'next'],
  ['an owner is added', object(old), object([...old, entry('c', '3')]), 'next'],
  ['an owner is removed', object(old), object([entry('a', '1')]), 'next'],
  ['an owner owns another field', object(old), object([entry('a', '1'), entry('b', '2', 'f:b')]), 'next'],
  ['all entries are removed', object(old), object(undefined), 'next'],
])('%s', (_title, live, next, kept) => {
  expect(keepTimes(live, next)).toBe((kept === 'live' ? live : next).metadata.managedFields);
});
