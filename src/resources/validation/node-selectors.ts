import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../core/scheduling-types.ts';

export interface NodeSelectorOptions {
  /** Accepts values that are not valid label values. */
  readonly allowInvalidValues?: boolean;
}

export function validateNodeSelector(
  selector: NodeSelector,
  field: string,
  options: NodeSelectorOptions = {},
): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const path = `${field}.nodeSelectorTerms`;
  if (terms.length === 0) return [requiredValue(path, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, `${path}[${index}]`, options));
}

export function validateNodeSelectorTerm(
  term: NodeSelectorTerm,
  field: string,
  { allowInvalidValues = false }: NodeSelectorOptions = {},
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    const path = `${field}.matchExpressions[${index}]`;
    validateLabelRequirement(requirement, path, errors);
    if (!allowInvalidValues) validateLabelValues(requirement.values, `${path}.values`, errors);
  }
  for (const [index, requirement] of (term.matchFields ?? []).entries()) {
    validateFieldRequirement(requirement, `${field}.matchFields[${index}]`, errors);
  }
  return errors;
}

function validateLabelRequirement(requirement: NodeSelectorRequirement, field: string, errors: FieldError[]): void {
  const { key = '', operator = '', values = [] } = requirement;
  const valuesField = `${field}.values`;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(requiredValue(valuesField, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push(forbiddenValue(valuesField, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      errors.push(requiredValue(valuesField, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
  } else {
    errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${field}.key`, key, detail));
}

function validateLabelValues(values: readonly string[] | undefined, field: string, errors: FieldError[]): void {
  for (const [index, value] of (values ?? []).entries()) {
    for (const detail of labelValueErrors(value)) errors.push(invalidValue(`${field}[${index}]`, value, detail));
  }
}

/** A field requirement can only match `metadata.name`. */
function validateFieldRequirement(requirement: NodeSelectorRequirement, field: string, errors: FieldError[]): void {
  const { key = '', operator = '', values = [] } = requirement;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length !== 1) {
      const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      errors.push(requiredValue(`${field}.values`, detail));
    }
  } else {
    errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  if (key !== 'metadata.name') {
    errors.push(invalidValue(`${field}.key`, key, 'not a valid field selector key'));
    return;
  }
  for (const [index, value] of values.entries()) {
    for (const detail of dnsSubdomainErrors(value)) {
      errors.push(invalidValue(`${field}.values[${index}]`, value, detail));
    }
  }
}
