import { type ColumnDefinition, column, nameColumn } from '../../../meta/table-columns.ts';
import { ageColumn } from './column.ts';

export const podDisruptionBudgetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Min Available', 'How many pods must remain available.'),
  column('Max Unavailable', 'How many pods may be unavailable.'),
  column('Allowed Disruptions', 'How many pods may be evicted now.', { type: 'integer' }),
  ageColumn,
];
