import { column, nameColumn, type TableColumns } from '../../meta/table-columns.ts';

/** The columns of kinds that define none. */
export const defaultColumns: TableColumns = {
  definitions: [nameColumn, column('Created At', 'When the object was created.', { type: 'date' })],
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? '0001-01-01T00:00:00Z'],
};
