import { nameColumn, type TableColumns } from '../../meta/table-columns.ts';
import { age } from './ages.ts';
import { ageColumn } from './definitions/column.ts';

/** The columns of kinds with nothing else to show. */
export const nameAndAge: TableColumns = {
  definitions: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', age(object, now)],
};
