import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { storageVersionRules } from './storage-version-rules.ts';
import { StorageVersion } from './storage-version-types.ts';

/** The `internal.apiserver.k8s.io` group: the version in which API servers store a resource, reported by clients. */
const v1alpha1 = { group: 'internal.apiserver.k8s.io', version: 'v1alpha1' };

export const optionalApiserverinternalResources: readonly ResourceDefinition[] = [
  defineResource(v1alpha1, 'storageversions', {
    schema: StorageVersion,
    scope: 'cluster',
    subresources: [status],
    unconditionalUpdate: false,
    ...storageVersionRules,
  }),
];
