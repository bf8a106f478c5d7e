import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn, containersColumn, imagesColumn } from './column.ts';

export const deploymentDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', 'Ready and desired number of pods.'),
  column('Up-to-date', 'Number of pods of the current template.'),
  column('Available', 'Number of pods that have been ready for long enough.'),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];

export const replicaSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Desired', 'Desired number of pods.', { type: 'integer' }),
  column('Current', 'Current number of pods.', { type: 'integer' }),
  column('Ready', 'Number of pods that are ready.', { type: 'integer' }),
  ageColumn,
  containersColumn,
  imagesColumn,
  column('Selector', 'Labels of the pods.', { priority: 1 }),
];

export const statefulSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', 'Ready and desired number of pods.'),
  ageColumn,
  containersColumn,
  imagesColumn,
];

export const daemonSetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Desired', 'Number of nodes that should run a pod.', { type: 'integer' }),
  column('Current', 'Number of nodes that run a pod and should.', { type: 'integer' }),
  column('Ready', 'Number of nodes with a pod that is ready.', { type: 'integer' }),
  column('Up-to-date', 'Number of nodes with a pod of the current template.', { type: 'integer' }),
  column('Available', 'Number of nodes with a pod that has been ready for long enough.', { type: 'integer' }),
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
