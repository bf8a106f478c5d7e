import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const resourceClaimDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('State', 'Whether the claim is pending, allocated, reserved or deleted.'),
  ageColumn,
];

export const resourceSliceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Node', 'The node that has the devices.'),
  column('Driver', 'The driver of the devices.'),
  column('Pool', 'The pool of the devices.'),
  ageColumn,
];

export const deviceTaintRuleDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Key', 'The key of the taint.'),
  column('Value', 'The value of the taint.'),
  column('Effect', 'What the taint does to pods that do not tolerate it.'),
  column('TimeAdded', 'Since when devices have the taint.'),
  ageColumn,
];

export const poolStatusRequestDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Driver', 'The driver whose pools are asked about.'),
  column('Total', 'The devices of all pools.'),
  column('Available', 'Devices that can be allocated.'),
  column('Allocated', 'Devices that are allocated.'),
  column('Unavailable', 'Devices that cannot be allocated now.'),
  column('Errors', 'Pools that could not be counted.'),
  column('Pools', 'Pools that match the request.', { type: 'integer' }),
  column('Status', 'Whether the request is pending, complete or failed.'),
  column('Completed', 'How long ago the request was answered.'),
];
