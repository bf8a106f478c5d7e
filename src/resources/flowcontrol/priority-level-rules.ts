import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { internalValue } from '../validation/internal-value.ts';
import { keepMetadata, validateConditionTypes } from './condition-types-validation.ts';
import { setQueuingDefaults, validateLimitResponse } from './limit-response-rules.ts';
import { mandatoryPriorityLevel } from './mandatory-specs.ts';
import type { ExemptPriorityLevelConfiguration, LimitedPriorityLevelConfiguration } from './priority-level-types.ts';
import { PriorityLevelConfigurationSpec } from './priority-level-types.ts';

const defaultShares = 30;
const exemptName = 'exempt';

export const priorityLevelRules = {
  updateChecks: ['metadata', 'object'] as const,
  statusChecks: ['change'] as const,

  setDefaults({ spec }: ResourceObject): void {
    const { limited, exempt } = (spec ?? {}) as PriorityLevelConfigurationSpec;
    if (limited !== undefined) {
      limited.nominalConcurrencyShares ??= defaultShares;
      limited.lendablePercent ??= 0;
      setQueuingDefaults(limited.limitResponse);
    }
    if (exempt !== undefined) {
      exempt.nominalConcurrencyShares ??= 0;
      exempt.lendablePercent ??= 0;
    }
  },

  validate(object: ResourceObject): FieldError[] {
    const { name = '' } = object.metadata;
    const spec = (object.spec ?? {}) as PriorityLevelConfigurationSpec;
    return [...specErrors(spec, name), ...fixedErrors(spec, name), ...validateConditionTypes(object)];
  },

  validateStatus: validateConditionTypes,
  prepareStatusUpdate: keepMetadata,
};

function specErrors({ type = '', limited, exempt }: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((name === exemptName) !== (type === 'Exempt')) {
    errors.push(invalidValue('spec.type', type, `must be 'Exempt' if and only if \`name\` is '${exemptName}'`));
  }
  if (type === 'Exempt') {
    if (limited !== undefined) errors.push(forbiddenValue('spec.limited', 'must be nil if the type is not Limited'));
    if (exempt !== undefined) errors.push(...exemptErrors(exempt));
  } else if (type === 'Limited') {
    if (exempt !== undefined) errors.push(forbiddenValue('spec.exempt', 'must be nil if the type is Limited'));
    if (limited !== undefined) errors.push(...limitedErrors(limited));
    else errors.push(requiredValue('spec.limited', 'must not be empty when type is Limited'));
  } else if (type === '') errors.push(requiredValue('spec.type'));
  else errors.push(notSupportedValue('spec.type', type, ['Exempt', 'Limited']));
  return errors;
}

function exemptErrors({ nominalConcurrencyShares, lendablePercent }: ExemptPriorityLevelConfiguration): FieldError[] {
  return [
    ...shareErrors(nominalConcurrencyShares, 'spec.exempt.nominalConcurrencyShares'),
    ...percentErrors(lendablePercent, 'spec.exempt.lendablePercent'),
  ];
}

function limitedErrors(limited: LimitedPriorityLevelConfiguration): FieldError[] {
  const { nominalConcurrencyShares, limitResponse, lendablePercent, borrowingLimitPercent: borrowed } = limited;
  const errors = [
    ...shareErrors(nominalConcurrencyShares, 'spec.limited.nominalConcurrencyShares'),
    ...validateLimitResponse(limitResponse, 'spec.limited.limitResponse'),
    ...percentErrors(lendablePercent, 'spec.limited.lendablePercent'),
  ];
  if (borrowed !== undefined && borrowed < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.push(invalidValue('spec.limited.borrowingLimitPercent', borrowed, detail));
  }
  return errors;
}

function shareErrors(shares: number | null | undefined, field: string): FieldError[] {
  return (shares ?? 0) < 0 ? [invalidValue(field, shares, 'must be a non-negative integer')] : [];
}

function percentErrors(percent: number | undefined, field: string): FieldError[] {
  if (percent === undefined || (percent >= 0 && percent <= 100)) return [];
  return [invalidValue(field, percent, 'must be between 0 and 100, inclusive')];
}

/** `spec.exempt`, which configures borrowing, is mutable in the mandatory level `exempt`. */
function fixedErrors(spec: PriorityLevelConfigurationSpec, name: string): FieldError[] {
  const fixed = mandatoryPriorityLevel(name);
  if (fixed === undefined) return [];
  const compared = name === exemptName ? { ...spec, exempt: undefined } : spec;
  if (JSON.stringify(compared) === fixed) return [];
  const except = name === exemptName ? " except the 'spec.exempt' field" : '';
  const shown = internalValue(PriorityLevelConfigurationSpec, spec);
  return [invalidValue('spec', shown, `spec of '${name}'${except} must equal the fixed value`)];
}
