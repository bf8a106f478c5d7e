import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { storageVersionMigrationRules } from './storage-version-migration-rules.ts';
import { StorageVersionMigration } from './storage-version-migration-types.ts';

/** The `storagemigration.k8s.io` group: requests to rewrite the stored objects of a resource. */
const v1beta1 = { group: 'storagemigration.k8s.io', version: 'v1beta1' };

export const optionalStoragemigrationResources: readonly ResourceDefinition[] = [
  defineResource(v1beta1, 'storageversionmigrations', {
    schema: StorageVersionMigration,
    scope: 'cluster',
    subresources: [status],
    unconditionalUpdate: false,
    ...storageVersionMigrationRules,
  }),
];
