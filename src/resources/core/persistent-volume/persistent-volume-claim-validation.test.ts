import { expect, it } from 'vitest';
import type { PersistentVolumeClaimSpec } from '../persistent-volume-claim-types.ts';
import { validateClaimSpec } from './persistent-volume-claim-validation.ts';

const valid: PersistentVolumeClaimSpec = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
};
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };

it.each<[string, PersistentVolumeClaimSpec, PersistentVolumeClaimSpec | undefined, readonly string[]]>([
  ['a source', { dataSource: snapshot, dataSourceRef: snapshot }, undefined, []],
  ['an invalid group', { dataSourceRef: { ...snapshot, apiGroup: 'A' } }, undefined, ['spec.dataSourceRef.apiGroup']],
  [
    'an invalid group in the old field',
    { dataSource: { ...snapshot, apiGroup: '%' } },
    {},
    ['spec.dataSource.apiGroup'],
  ],
  [
    'an invalid group when there was a group',
    { dataSource: { ...snapshot, apiGroup: '%' } },
    { dataSource: snapshot },
    [],
  ],
  [
    'an invalid group when there was a source without a group',
    { dataSource: { ...snapshot, apiGroup: '%' } },
    { dataSource: { kind: 'PersistentVolumeClaim', name: 'c' } },
    ['spec.dataSource.apiGroup'],
  ],
  ['a source elsewhere', { dataSourceRef: { ...snapshot, namespace: 'other' } }, undefined, []],
  [
    'a source in a namespace that cannot exist',
    { dataSourceRef: { ...snapshot, namespace: 'a.b' } },
    undefined,
    ['spec.dataSourceRef.namespace'],
  ],
])('%s', (_name, spec, oldSpec, fields) => {
  expect(validateClaimSpec({ ...valid, ...spec }, 'spec', oldSpec).map(({ field }) => field)).toEqual(fields);
});
