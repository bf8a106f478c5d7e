import type { TableColumns } from '../../meta/table-columns.ts';
import type { PodDisruptionBudget } from '../policy/disruption-types.ts';
import { age } from './ages.ts';
import { podDisruptionBudgetDefinitions } from './definitions/policy.ts';

const podDisruptionBudget: TableColumns = {
  definitions: podDisruptionBudgetDefinitions,
  cells(object, now) {
    const { metadata, spec, status } = object as PodDisruptionBudget;
    return [
      metadata.name ?? '',
      String(spec?.minAvailable ?? 'N/A'),
      String(spec?.maxUnavailable ?? 'N/A'),
      status?.disruptionsAllowed ?? 0,
      age(object, now),
    ];
  },
};

export const policyColumns: ReadonlyMap<string, TableColumns> = new Map([
  ['policy/PodDisruptionBudget', podDisruptionBudget],
]);
