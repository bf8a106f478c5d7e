import { type FieldError, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { type Condition, validateConditions } from '../validation/condition-validation.ts';

interface PolicyStatus {
  readonly typeChecking?: { readonly expressionWarnings?: readonly { fieldRef?: string; warning?: string }[] };
  readonly conditions?: readonly Condition[];
}

export function validateValidatingPolicyStatus(next: ResourceObject): FieldError[] {
  const { typeChecking, conditions } = (next.status ?? {}) as PolicyStatus;
  const errors: FieldError[] = [];
  const warnings = typeChecking?.expressionWarnings ?? [];
  for (let index = 0; index < warnings.length; index++) {
    const { fieldRef = '', warning = '' } = warnings[index]!;
    const path = `status.typeChecking.expressionWarnings[${index}]`;
    if (warning === '') errors.push(requiredValue(`${path}.warning`));
    if (fieldRef.trim() === '') errors.push(requiredValue(`${path}.fieldRef`));
  }
  return [...errors, ...validateConditions(conditions, 'status.conditions')];
}
