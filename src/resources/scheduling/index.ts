import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource } from '../define.ts';
import { priorityClassRules } from './priority-class-rules.ts';
import { PriorityClass } from './priority-class-types.ts';

/** The `scheduling.k8s.io` group: named priorities of pods. */
const v1 = { group: 'scheduling.k8s.io', version: 'v1' };

export const schedulingResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'priorityclasses', {
    schema: PriorityClass,
    scope: 'cluster',
    shortNames: ['pc'],
    ...priorityClassRules,
  }),
];
