import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { compareQuantityTexts, milliValue, wholeValue } from '../validation/quantities.ts';
import {
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
} from '../validation/resource-names.ts';
import type { LimitRangeItem } from './quota-types.ts';
import type { ResourceList } from './resource-list.ts';

type ListName = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';

const limitTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);
/** The largest amount whose number of thousandths fits into 64 bits. */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

export function validateLimitRange({ spec }: ResourceObject): FieldError[] {
  const { limits } = (spec ?? {}) as { limits?: LimitRangeItem[] };
  const errors: FieldError[] = [];
  const types = new Set<string>();
  for (const [index, item] of (limits ?? []).entries()) {
    const path = `spec.limits[${index}]`;
    const { type = '' } = item;
    errors.push(...typeErrors(type, `${path}.type`));
    if (types.has(type)) errors.push(duplicateValue(`${path}.type`, type));
    types.add(type);
    errors.push(...listErrors(item, path));
    for (const name of resourcesOf(item)) errors.push(...comparisonErrors(item, name, path));
  }
  return errors;
}

function typeErrors(type: string, path: string): FieldError[] {
  const errors = labelKeyErrors(type).map((detail) => invalidValue(path, type, detail));
  if (errors.length > 0 || type.includes('/') || limitTypes.has(type)) return errors;
  return [invalidValue(path, type, 'must be a standard limit type or fully qualified')];
}

/** Checks the resource names in each list, and which lists are allowed or required for the type. */
function listErrors(item: LimitRangeItem, path: string): FieldError[] {
  const { type, min, max } = item;
  const errors = [...nameErrors(item, 'max', path), ...nameErrors(item, 'min', path)];
  for (const list of ['default', 'defaultRequest'] as const) {
    if (type !== 'Pod') errors.push(...nameErrors(item, list, path));
    else if (item[list] !== undefined) {
      errors.push(forbiddenValue(`${path}.${list}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (type === 'PersistentVolumeClaim' && min?.storage === undefined && max?.storage === undefined) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(requiredValue(`${path}.limits`, detail));
  }
  errors.push(...nameErrors(item, 'maxLimitRequestRatio', path));
  return errors;
}

function nameErrors(item: LimitRangeItem, list: ListName, path: string): FieldError[] {
  const check = item.type === 'Pod' || item.type === 'Container' ? validateContainerResourceName : validateResourceName;
  return Object.keys(item[list] ?? {}).flatMap((name) => check(name, `${path}.${list}[${name}]`));
}

function resourcesOf(item: LimitRangeItem): string[] {
  const lists = [item.max, item.min, ...defaultsOf(item), item.maxLimitRequestRatio];
  return [...new Set(lists.flatMap((list) => Object.keys(list ?? {})))].sort();
}

/** Pod ranges cannot have defaults. `listErrors` rejects them, so they are not compared. */
function defaultsOf(item: LimitRangeItem): (ResourceList | undefined)[] {
  return item.type === 'Pod' ? [] : [item.default, item.defaultRequest];
}

/** Compares the amounts of one resource: min <= default request <= default <= max, and the ratio. */
function comparisonErrors(item: LimitRangeItem, name: string, path: string): FieldError[] {
  const min = amountIn(item.min, name);
  const max = amountIn(item.max, name);
  const [limit, request] = defaultsOf(item).map((list) => amountIn(list, name));
  const ratio = amountIn(item.maxLimitRequestRatio, name);
  const at = (list: ListName) => `${path}.${list}[${name}]`;
  const errors: FieldError[] = [];
  if (isGreater(min, max)) {
    errors.push(invalidValue(at('min'), min, `min value ${min} is greater than max value ${max}`));
  }
  if (isGreater(min, request)) {
    const detail = `min value ${min} is greater than default request value ${request}`;
    errors.push(invalidValue(at('defaultRequest'), request, detail));
  }
  if (isGreater(request, max)) {
    const detail = `default request value ${request} is greater than max value ${max}`;
    errors.push(invalidValue(at('defaultRequest'), request, detail));
  }
  if (isGreater(request, limit)) {
    const detail = `default request value ${request} is greater than default limit value ${limit}`;
    errors.push(invalidValue(at('defaultRequest'), request, detail));
  }
  if (isGreater(min, limit)) {
    errors.push(invalidValue(at('default'), min, `min value ${min} is greater than default value ${limit}`));
  }
  if (isGreater(limit, max)) {
    errors.push(invalidValue(at('default'), max, `default value ${limit} is greater than max value ${max}`));
  }
  if (ratio !== undefined) errors.push(...ratioErrors({ ratio, min, max }, at('maxLimitRequestRatio')));
  if (!isOvercommitAllowed(name) && (isGreater(limit, request) || isGreater(request, limit))) {
    const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    errors.push(invalidValue(at('default'), limit, detail));
  }
  return errors;
}

/** A client may use any resource name, including one that `Object.prototype` has. */
function amountIn(list: ResourceList | undefined, name: string): string | undefined {
  return list !== undefined && Object.hasOwn(list, name) ? list[name] : undefined;
}

/** Returns false when either amount is absent. */
function isGreater(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && compareQuantityTexts(left, right) > 0;
}

function ratioErrors(
  { ratio, min, max }: { ratio: string; min: string | undefined; max: string | undefined },
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (isGreater('1', ratio)) errors.push(invalidValue(path, ratio, `ratio ${ratio} is less than 1`));
  if (min === undefined || max === undefined) return errors;
  const precise = [ratio, min, max].every((amount) => wholeValue(amount) < maxMilliValue);
  const value = precise ? milliValue : wholeValue;
  const ratioValue = Number(value(ratio)) / (precise ? 1000 : 1);
  const possible = Number(value(max)) / Number(value(min));
  if (ratioValue > possible) {
    errors.push(invalidValue(path, ratio, `ratio ${ratio} is greater than max/min = ${possible.toFixed(6)}`));
  }
  return errors;
}
