import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from './column.ts';

const deploymentReadyText = 'Number of the pod with ready state';

export const deploymentDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', deploymentReadyText),
  column(
    'Up-to-date',
    'Total number of non-terminating pods targeted by this deployment that have the desired template ' + 'spec.',
  ),
  column(
    'Available',
    'Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by ' +
      'this deployment.',
  ),
  ageColumn,
  containersColumn,
  imagesColumn,
  column(
    'Selector',
    'Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones ' +
      "affected by this deployment. It must match the pod template's labels.",
    { priority: 1 },
  ),
];

export const replicaSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Desired',
    'Replicas is the number of desired pods. This is a pointer to distinguish between explicit zero ' +
      'and unspecified. Defaults to 1. More info: ' +
      'https://kubernetes.io/docs/concepts/workloads/controllers/replicaset',
    { type: 'integer' },
  ),
  column(
    'Current',
    'Replicas is the most recently observed number of non-terminating pods. More info: ' +
      'https://kubernetes.io/docs/concepts/workloads/controllers/replicaset',
    { type: 'integer' },
  ),
  column('Ready', 'The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition.', {
    type: 'integer',
  }),
  ageColumn,
  containersColumn,
  imagesColumn,
  column(
    'Selector',
    'Selector is a label query over pods that should match the replica count. Label keys and values ' +
      "that must match in order to be controlled by this replica set. It must match the pod template's " +
      'labels. More info: ' +
      'https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors',
    { priority: 1 },
  ),
];

export const statefulSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', deploymentReadyText),
  ageColumn,
  containersColumn,
  imagesColumn,
];

export const daemonSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Desired',
    'The total number of nodes that should be running the daemon pod (including nodes correctly ' +
      'running the daemon pod). More info: ' +
      'https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/',
    { type: 'integer' },
  ),
  column(
    'Current',
    'The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon ' +
      'pod. More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/',
    { type: 'integer' },
  ),
  column(
    'Ready',
    'numberReady is the number of nodes that should be running the daemon pod and have one or more of ' +
      'the daemon pod running with a Ready Condition.',
    { type: 'integer' },
  ),
  column('Up-to-date', 'The total number of nodes that are running updated daemon pod', { type: 'integer' }),
  column(
    'Available',
    'The number of nodes that should be running the daemon pod and have one or more of the daemon pod ' +
      'running and available (ready for at least spec.minReadySeconds)',
    { type: 'integer' },
  ),
  column(
    'Node Selector',
    'NodeSelector is a selector which must be true for the pod to fit on a node. Selector which must ' +
      "match a node's labels for the pod to be scheduled on that node. More info: " +
      'https://kubernetes.io/docs/concepts/configuration/assign-pod-node/',
  ),
  ageColumn,
  containersColumn,
  imagesColumn,
  column(
    'Selector',
    'A label query over pods that are managed by the daemon set. Must match in order to be controlled. ' +
      "It must match the pod template's labels. More info: " +
      'https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors',
    { priority: 1 },
  ),
];

export const controllerRevisionDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Controller', 'Controller of the object'),
  column('Revision', 'Revision indicates the revision of the state represented by Data.'),
  ageColumn,
];
