import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { LabelOperator } from '../../meta/label-requirement.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import { validateLabels } from '../../meta/validate-labels.ts';
import type { LabelSelectorRequirement, LabelSelector as LabelSelectorValue } from '../../schema/meta-types.ts';

export interface LabelSelectorOptions {
  /** Accepts invalid values, for objects that were written before the values of expressions were validated. */
  readonly allowInvalidValues?: boolean;
}

/** Accepts an absent selector: the caller checks whether it is required. */
export function validateLabelSelector(
  selector: LabelSelectorValue | undefined,
  path: string,
  options: LabelSelectorOptions = {},
): FieldError[] {
  if (selector === undefined) return [];
  const errors = validateLabels(selector.matchLabels, `${path}.matchLabels`);
  const expressions = selector.matchExpressions ?? [];
  for (let index = 0; index < expressions.length; index++) {
    validateExpression(expressions[index]!, `${path}.matchExpressions[${index}]`, { ...options, errors });
  }
  return errors;
}

function validateExpression(
  { key = '', operator = '', values = [] }: LabelSelectorRequirement,
  path: string,
  { allowInvalidValues = false, errors }: LabelSelectorOptions & { readonly errors: FieldError[] },
): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(requiredValue(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(
          forbiddenValue(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      }
      break;
    default:
      errors.push(invalidValue(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${path}.key`, key, detail));
  if (allowInvalidValues) return;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    for (const detail of labelValueErrors(value)) errors.push(invalidValue(`${path}.values[${index}]`, value, detail));
  }
}

export function isEmptySelector({ matchLabels, matchExpressions = [] }: LabelSelectorValue): boolean {
  return matchExpressions.length === 0 && (matchLabels === undefined || Object.keys(matchLabels).length === 0);
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** Expects a valid selector. An empty selector matches everything. */
export function compileLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorValue): LabelSelector {
  return new LabelSelector([
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...matchExpressions.map(({ key = '', operator = '', values = [] }) => ({
      key,
      operator: operators[operator]!,
      values: [...new Set(values)].sort(),
    })),
  ]);
}
