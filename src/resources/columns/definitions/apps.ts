import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from './column.ts';

export const deploymentDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', 'Pods that are ready, of those that are wanted.'),
  column('Up-to-date', 'Pods of the current template.'),
  column('Available', 'Pods that have been ready for long enough.'),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];

export const replicaSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Desired', 'Pods that are wanted.', { type: 'integer' }),
  column('Current', 'Pods that there are.', { type: 'integer' }),
  column('Ready', 'Pods that are ready.', { type: 'integer' }),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];

export const statefulSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', 'Pods that are ready, of those that are wanted.'),
  ageColumn,
  containersColumn,
  imagesColumn,
];

export const daemonSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Desired', 'Nodes that should run a pod.', { type: 'integer' }),
  column('Current', 'Nodes that run a pod and should.', { type: 'integer' }),
  column('Ready', 'Nodes with a pod that is ready.', { type: 'integer' }),
  column('Up-to-date', 'Nodes with a pod of the current template.', { type: 'integer' }),
  column('Available', 'Nodes with a pod that has been ready for long enough.', { type: 'integer' }),
  column('Node Selector', 'Labels of the nodes that should run a pod.'),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];

export const controllerRevisionDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Controller', 'The object whose state it is.'),
  column('Revision', 'Number of the revision.'),
  ageColumn,
];
