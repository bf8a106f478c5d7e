import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { flowSchemaRules } from './flow-schema-rules.ts';
import { FlowSchema } from './flow-schema-types.ts';
import { priorityLevelRules } from './priority-level-rules.ts';
import { PriorityLevelConfiguration } from './priority-level-types.ts';

/** The `flowcontrol.apiserver.k8s.io` group: flow schemas and priority levels of requests. `http` enforces them. */
const v1 = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' };

export const flowcontrolResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'flowschemas', {
    schema: FlowSchema,
    scope: 'cluster',
    subresources: [status],
    generation: true,
    ...flowSchemaRules,
  }),
  defineResource(v1, 'prioritylevelconfigurations', {
    schema: PriorityLevelConfiguration,
    scope: 'cluster',
    subresources: [status],
    generation: true,
    ...priorityLevelRules,
  }),
];
