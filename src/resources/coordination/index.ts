import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource } from '../define.ts';
import { leaseRules } from './lease-rules.ts';
import { Lease } from './lease-types.ts';

/** The `coordination.k8s.io` group: leases, by which one of several processes leads. */
const v1 = { group: 'coordination.k8s.io', version: 'v1' };

export const coordinationResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'leases', { schema: Lease, unconditionalUpdate: false, ...leaseRules }),
];
