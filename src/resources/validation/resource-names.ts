import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { canonicalQuantity } from '../../meta/quantity.ts';
import { isNegativeQuantity, isWholeQuantity, validateNonnegativeQuantity } from './quantities.ts';

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const quotaPrefix = 'requests.';
const nativePrefix = 'kubernetes.io/';
const hugePagesPrefix = 'hugepages-';

/** Unqualified resource names that are valid in any resource list. */
export const standardResources: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
  'requests.storage',
  'storage',
]);

const integerResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

export function isHugePagesResource(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

/** Returns whether the name is unqualified or has a kubernetes.io prefix. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes(nativePrefix);
}

/** Returns whether the name has a domain outside of Kubernetes and is also valid as `requests.<name>` in a quota. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith(quotaPrefix)) return false;
  return labelKeyErrors(quotaPrefix + name).length === 0;
}

/** Returns whether limits may exceed requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePagesResource(name);
}

export function isStandardResource(name: string): boolean {
  return standardResources.has(name) || name.startsWith(hugePagesPrefix);
}

export function isStandardContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePagesResource(name);
}

/** Returns whether amounts of the resource must be integers. */
export function isIntegerResource(name: string): boolean {
  return integerResources.has(name) || isExtendedResource(name);
}

export function validateResourceName(name: string, field: string): FieldError[] {
  const errors = labelKeyErrors(name).map((detail) => invalidValue(field, name, detail));
  if (errors.length > 0) return errors;
  if (!name.includes('/') && !isStandardResource(name)) {
    return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
  }
  return [];
}

/** Validates the names of resources that containers and their volumes request. */
export function validateContainerResourceName(name: string, field: string): FieldError[] {
  if (containerResources.has(name)) return [];
  const errors = validateResourceName(name, field);
  if (!name.includes('/')) {
    if (!isStandardContainerResource(name)) {
      errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidValue(field, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** The amount may be that of the request, which is not canonical. */
export function validateResourceQuantity(name: string, amount: string, field: string): FieldError[] {
  const errors = isNegativeQuantity(amount) ? validateNonnegativeQuantity(canonicalQuantity(amount), field) : [];
  if (isIntegerResource(name) && !isWholeQuantity(amount)) {
    errors.push(invalidValue(field, canonicalQuantity(amount), 'must be an integer'));
  }
  return errors;
}
