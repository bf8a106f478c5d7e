import { type FieldSelector, parseFieldSelector } from '../meta/field-selector.ts';
import type { LabelOperator } from '../meta/label-requirement.ts';
import { type LabelSelector, parseLabelSelector } from '../meta/label-selector.ts';
import { StatusError } from '../meta/status-error.ts';
import type { RequestedSelectors, SelectorRequirement } from './authorizer.ts';

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

/** Reads the texts of selectors, which may be empty. */
export function readSelectors(texts: { readonly fields: string; readonly labels: string }): RequestedSelectors {
  const { fields, labels } = texts;
  const fieldSelector = fields === '' ? undefined : wellFormed(() => fieldRequirements(parseFieldSelector(fields)));
  const labelSelector = labels === '' ? undefined : wellFormed(() => labelRequirements(parseLabelSelector(labels)));
  return { ...(fieldSelector && { fieldSelector }), ...(labelSelector && { labelSelector }) };
}

/** Undefined when a selector is malformed. */
export function wellFormed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
