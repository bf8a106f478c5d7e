import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { isEmptySelector, type LabelSelectorValue, validateLabelSelector } from '../validation/label-selectors.ts';

export interface SelectorFindings {
  readonly errors: FieldError[];
  /** Whether labels can be matched with it. */
  readonly usable: boolean;
}

/** A workload must say which pods are its own. `kind` is the one that messages name. */
export function checkSelector(selector: LabelSelectorValue | undefined, path: string, kind: string): SelectorFindings {
  if (selector === undefined) return { errors: [requiredValue(path)], usable: true };
  const errors = validateLabelSelector(selector, path);
  const usable = errors.length === 0;
  if (isEmptySelector(selector)) errors.push(emptySelector(selector, path, kind));
  return { errors, usable };
}

export function emptySelector(selector: LabelSelectorValue, path: string, kind: string): FieldError {
  return invalidValue(path, selector, `empty selector is invalid for ${kind}`);
}

/** Pods that the old selector has found would be left alone. */
export function validateSameSelector(
  next: LabelSelectorValue | undefined,
  stored: LabelSelectorValue | undefined,
  path: string,
): FieldError[] {
  return validateImmutable({ next, stored }, path);
}
