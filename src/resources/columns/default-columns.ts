import type { TableColumns } from '../../meta/table-columns.ts';
import { createdAtColumn, nameColumn } from './definitions/column.ts';

export const defaultColumns: TableColumns = {
  definitions: [nameColumn, createdAtColumn],
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? '0001-01-01T00:00:00Z'],
};
