import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const endpointSliceDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('AddressType', 'Type of the addresses: IPv4, IPv6 or FQDN.'),
  column('Ports', 'Ports of the endpoints.'),
  column('Endpoints', 'Addresses of the endpoints.'),
  ageColumn,
];
