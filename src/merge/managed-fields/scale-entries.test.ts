import { expect, test } from 'vitest';
import { fromScaleEntries, type ScaledKind, toScaleEntries } from './scale-entries.ts';

const kind: ScaledKind = { apiVersion: 'apps/v1', replicas: new Map([['apps/v1', ['f:spec', 'f:replicas']]]) };
const entry = (manager: string, operation: string, fieldsV1: unknown, rest: object = {}) => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...rest,
});
const replicas = { 'f:spec': { 'f:replicas': {} } };
const both = { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } };
const rest = { 'f:spec': { 'f:paused': {} } };

test('a scale has the entries that own the replica count', () => {
  const entries = [
    entry('a', 'Apply', both),
    entry('b', 'Apply', rest),
    entry('old', 'Apply', both, { apiVersion: 'apps/v0' }),
    entry('u', 'Update', replicas),
  ];
  expect(toScaleEntries(entries, kind)).toEqual([
    entry('a', 'Apply', replicas, { apiVersion: 'autoscaling/v1' }),
    entry('u', 'Update', replicas, { apiVersion: 'autoscaling/v1' }),
  ]);
  expect(toScaleEntries(undefined, kind)).toBeUndefined();
});

test('a new owner of the replica count leaves other fields with their owners', () => {
  const scaler = entry('s', 'Update', replicas, { apiVersion: 'autoscaling/v1', subresource: 'scale' });
  expect(fromScaleEntries([entry('a', 'Apply', both), entry('u', 'Update', replicas)], [scaler], kind)).toEqual([
    entry('a', 'Apply', rest),
    { ...entry('s', 'Update', replicas, { subresource: 'scale' }), time: undefined },
  ]);
});

test('nothing changes when the owners are the same', () => {
  const entries = [entry('a', 'Apply', both), entry('u', 'Update', both)];
  expect(fromScaleEntries(entries, toScaleEntries(entries, kind), kind)).toEqual(entries);
});

test('entries of removed versions are dropped', () => {
  expect(fromScaleEntries([entry('a', 'Apply', both, { apiVersion: 'apps/v0' })], undefined, kind)).toBeUndefined();
});

test('a version without a scale keeps its entries', () => {
  const versions = new Map([...kind.replicas, ['apps/v2', undefined] as const]);
  const other = entry('a', 'Apply', both, { apiVersion: 'apps/v2' });
  expect(fromScaleEntries([other], undefined, { ...kind, replicas: versions })).toEqual([other]);
});
