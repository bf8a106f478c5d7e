import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, scale, status } from '../define.ts';
import { ControllerRevision } from './controller-revision-types.ts';
import { DaemonSet } from './daemon-set-types.ts';
import { Deployment } from './deployment-types.ts';
import { ReplicaSet } from './replica-set-types.ts';
import { StatefulSet } from './stateful-set-types.ts';

/**
 * The `apps` group: workloads that keep a number of pods running. What makes the pods is not here but in controllers.
 */
const v1 = { group: 'apps', version: 'v1' };

export const appsResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'controllerrevisions', { schema: ControllerRevision }),
  defineResource(v1, 'daemonsets', {
    schema: DaemonSet,
    shortNames: ['ds'],
    categories: ['all'],
    subresources: [status],
    generation: true,
  }),
  defineResource(v1, 'deployments', {
    schema: Deployment,
    shortNames: ['deploy'],
    categories: ['all'],
    subresources: [scale, status],
    generation: true,
  }),
  defineResource(v1, 'replicasets', {
    schema: ReplicaSet,
    shortNames: ['rs'],
    categories: ['all'],
    subresources: [scale, status],
    generation: true,
  }),
  defineResource(v1, 'statefulsets', {
    schema: StatefulSet,
    shortNames: ['sts'],
    categories: ['all'],
    subresources: [scale, status],
    // Its pods carry the name in a label.
    name: 'dnsLabel',
    generation: true,
  }),
];
