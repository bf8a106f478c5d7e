import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { LabelSelector } from '../../schema/meta-types.ts';
import { validateImmutable } from '../validation/immutable.ts';
import { isEmptySelector, validateLabelSelector } from '../validation/label-selectors.ts';

interface SelectorCheck {
  readonly errors: FieldError[];
  /** Whether the selector can be compiled to match labels. */
  readonly isUsable: boolean;
}

/** Validates the mandatory selector of a workload. `kind` appears in the error messages. */
export function checkSelector(selector: LabelSelector | undefined, path: string, kind: string): SelectorCheck {
  if (selector === undefined) return { errors: [requiredValue(path)], isUsable: true };
  const errors = validateLabelSelector(selector, path);
  const isUsable = errors.length === 0;
  if (isEmptySelector(selector)) errors.push(emptySelector(selector, path, kind));
  return { errors, isUsable };
}

export function emptySelector(selector: LabelSelector, path: string, kind: string): FieldError {
  return invalidValue(path, selector, `empty selector is invalid for ${kind}`);
}

/** A changed selector would orphan the pods that the old one matches. */
export function validateSameSelector(
  next: LabelSelector | undefined,
  oldValue: LabelSelector | undefined,
  path: string,
): FieldError[] {
  return validateImmutable({ next, oldValue }, path);
}
