import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import type { ResourceQuotaSpec, ResourceQuotaStatus } from './quota-types.ts';
import { roundResources } from './resource-list.ts';
import { validateQuotaAmounts, validateQuotaScopesUnchanged, validateQuotaSpec } from './resource-quota-validation.ts';

export const resourceQuotaRules: Partial<ResourceRules> = {
  setDefaults({ spec, status }) {
    const { hard, used } = (status ?? {}) as ResourceQuotaStatus;
    for (const list of [(spec as ResourceQuotaSpec | undefined)?.hard, hard, used]) roundResources(list);
  },
  validate: ({ spec }) => validateQuotaSpec((spec ?? {}) as ResourceQuotaSpec),
  validateUpdate(next, oldObject) {
    const spec = (next.spec ?? {}) as ResourceQuotaSpec;
    return [
      ...validateQuotaSpec(spec),
      ...validateQuotaScopesUnchanged(spec, (oldObject.spec ?? {}) as ResourceQuotaSpec),
    ];
  },
  validateStatus({ status }): FieldError[] {
    const { hard, used } = (status ?? {}) as ResourceQuotaStatus;
    return [...validateQuotaAmounts(hard, 'status.hard'), ...validateQuotaAmounts(used, 'status.used')];
  },
};
