import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const leaseDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Holder', 'Who holds the lease.'),
  ageColumn,
];

export const leaseCandidateDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('LeaseName', 'The lease for which this is a candidate.'),
  column('BinaryVersion', 'Version of the program.'),
  column('EmulationVersion', 'Version that the program behaves like.'),
  ageColumn,
];
