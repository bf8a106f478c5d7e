import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const leaseDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column(
    'Holder',
    'holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader ' +
      'Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name ' +
      'field.',
  ),
  ageColumn,
];
