import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, scale, status } from '../define.ts';
import { controllerRevisionRules } from './controller-revision-rules.ts';
import { ControllerRevision } from './controller-revision-types.ts';
import { daemonSetRules } from './daemon-set-rules.ts';
import { DaemonSet } from './daemon-set-types.ts';
import { deploymentRules } from './deployment-rules.ts';
import { Deployment } from './deployment-types.ts';
import { replicaSetRules } from './replica-set-rules.ts';
import { ReplicaSet } from './replica-set-types.ts';
import { statefulSetRules } from './stateful-set-rules.ts';
import { StatefulSet } from './stateful-set-types.ts';

/**
 * The `apps` group: workloads that keep a number of pods running. `controllers` creates the pods.
 */
const v1 = { group: 'apps', version: 'v1' };

export const appsResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'controllerrevisions', { schema: ControllerRevision, ...controllerRevisionRules }),
  defineResource(v1, 'daemonsets', {
    schema: DaemonSet,
    shortNames: ['ds'],
    categories: ['all'],
    subresources: [status],
    ...daemonSetRules,
  }),
  defineResource(v1, 'deployments', {
    schema: Deployment,
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: [scale, status],
    ...deploymentRules,
  }),
  defineResource(v1, 'replicasets', {
    schema: ReplicaSet,
    shortNames: ['rs'],
    categories: ['all'],
    subresources: [scale, status],
    ...replicaSetRules,
  }),
  defineResource(v1, 'statefulsets', {
    schema: StatefulSet,
    shortNames: ['sts'],
    categories: ['all'],
    subresources: [scale, status],
    ...statefulSetRules,
  }),
];
