import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource } from '../define.ts';
import { runtimeClassRules } from './runtime-class-rules.ts';
import { RuntimeClass } from './runtime-class-types.ts';

/** The `node.k8s.io` group: runtime classes. Nodes are in `core`. */
const v1 = { group: 'node.k8s.io', version: 'v1' };

export const nodeResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'runtimeclasses', {
    createsOnUpdate: true,
    schema: RuntimeClass,
    scope: 'cluster',
    unconditionalUpdate: false,
    ...runtimeClassRules,
  }),
];
