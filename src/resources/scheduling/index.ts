import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { podGroupRules } from './pod-group-rules.ts';
import { PodGroup } from './pod-group-types.ts';
import { priorityClassRules } from './priority-class-rules.ts';
import { PriorityClass } from './priority-class-types.ts';
import { workloadRules } from './workload-rules.ts';
import { Workload } from './workload-types.ts';

/** The `scheduling.k8s.io` group: priority classes, and groups of pods that are scheduled together. */
const v1 = { group: 'scheduling.k8s.io', version: 'v1' };
const v1alpha2 = { group: 'scheduling.k8s.io', version: 'v1alpha2' };

export const schedulingResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'priorityclasses', {
    schema: PriorityClass,
    scope: 'cluster',
    shortNames: ['pc'],
    ...priorityClassRules,
  }),
];

export const optionalSchedulingResources: readonly ResourceDefinition[] = [
  defineResource(v1alpha2, 'podgroups', { schema: PodGroup, subresources: [status], ...podGroupRules }),
  defineResource(v1alpha2, 'workloads', { schema: Workload, ...workloadRules }),
];
