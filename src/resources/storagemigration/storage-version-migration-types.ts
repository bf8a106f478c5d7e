import { field, listOf, string, struct } from '../../schema/builders.ts';
import { Condition, GroupResource, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const StorageVersionMigration = struct('storagemigration/v1beta1.StorageVersionMigration', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, StorageVersionMigrationSpec),
  status: field(3, StorageVersionMigrationStatus),
}));

export type StorageVersionMigration = ObjectOf<typeof StorageVersionMigration>;

export const StorageVersionMigrationSpec = struct('storagemigration/v1beta1.StorageVersionMigrationSpec', () => ({
  resource: field(1, GroupResource, { required: true, always: true }),
}));

export const StorageVersionMigrationStatus = struct('storagemigration/v1beta1.StorageVersionMigrationStatus', () => ({
  conditions: field(1, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
  resourceVersion: field(2, string),
}));

export type StorageVersionMigrationStatus = TypeOf<typeof StorageVersionMigrationStatus>;
