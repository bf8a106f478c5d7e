import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const certificateSigningRequestDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  ageColumn,
  column('SignerName', 'The signer that is asked.'),
  column('Requestor', 'Who made the request.'),
  column('RequestedDuration', 'Requested lifetime of the certificate.'),
  column('Condition', 'Whether it is approved, denied, failed or issued.'),
];
