import { field, int64, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const StorageVersion = struct('apiserverinternal/v1alpha1.StorageVersion', () => ({
  metadata: field(1, ObjectMeta, { required: true }),
  spec: field(2, StorageVersionSpec, { always: true }),
  status: field(3, StorageVersionStatus, { always: true }),
}));

export type StorageVersion = ObjectOf<typeof StorageVersion>;

export const StorageVersionSpec = struct('apiserverinternal/v1alpha1.StorageVersionSpec', () => ({}));

export const StorageVersionStatus = struct('apiserverinternal/v1alpha1.StorageVersionStatus', () => ({
  storageVersions: field(1, listOf(ServerStorageVersion), { list: ['apiServerID'] }),
  commonEncodingVersion: field(2, string, { pointer: true }),
  conditions: field(3, listOf(StorageVersionCondition), { list: ['type'] }),
}));

export type StorageVersionStatus = TypeOf<typeof StorageVersionStatus>;

export const ServerStorageVersion = struct('apiserverinternal/v1alpha1.ServerStorageVersion', () => ({
  apiServerID: field(1, string, { required: true }),
  encodingVersion: field(2, string, { required: true }),
  decodableVersions: field(3, listOf(string), { required: true, list: 'set' }),
  servedVersions: field(4, listOf(string), { list: 'set' }),
}));

export type ServerStorageVersion = TypeOf<typeof ServerStorageVersion>;

export const StorageVersionCondition = struct('apiserverinternal/v1alpha1.StorageVersionCondition', () => ({
  type: field(1, namedString('apiserverinternal/v1alpha1.StorageVersionConditionType'), {
    required: true,
    always: true,
  }),
  status: field(2, namedString('apiserverinternal/v1alpha1.ConditionStatus'), { required: true, always: true }),
  observedGeneration: field(3, int64),
  lastTransitionTime: field(4, time),
  reason: field(5, string, { required: true, always: true }),
  message: field(6, string, { required: true }),
}));

export type StorageVersionCondition = TypeOf<typeof StorageVersionCondition>;
