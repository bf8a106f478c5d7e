import type { ColumnDefinition } from '../../../meta/table-columns.ts';
import { ageColumn, column, nameColumn } from './column.ts';

export const podDisruptionBudgetDefinitions: readonly ColumnDefinition[] = [
  nameColumn,
  column('Min Available', 'The minimum number of pods that must be available.'),
  column('Max Unavailable', 'The maximum number of pods that may be unavailable.'),
  column('Allowed Disruptions', 'Calculated number of pods that may be disrupted at this time.', { type: 'integer' }),
  ageColumn,
];
