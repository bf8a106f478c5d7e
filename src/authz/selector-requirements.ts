import type { FieldSelector } from '../meta/field-selector.ts';
import type { LabelOperator } from '../meta/label-requirement.ts';
import type { LabelSelector } from '../meta/label-selector.ts';
import type { SelectorRequirement } from './authorizer.ts';

const labelOperators: Readonly<Record<LabelOperator, SelectorRequirement['operator'] | undefined>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
  // Reviews cannot express these. Omitting them widens the authorized set of objects, which is safe.
  '>': undefined,
  '<': undefined,
};

/** Converts a field selector to requirements for authorizers. */
export function fieldRequirements({ requirements }: FieldSelector): SelectorRequirement[] {
  return requirements.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

/** Converts a label selector to requirements for authorizers. */
export function labelRequirements({ requirements }: LabelSelector): SelectorRequirement[] {
  return requirements.flatMap(({ key, operator, values }) => {
    const known = labelOperators[operator];
    if (known === undefined) return [];
    return known === 'In' || known === 'NotIn' ? { key, operator: known, values } : { key, operator: known };
  });
}
