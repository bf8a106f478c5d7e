import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  notFoundValue,
  notSupportedValue,
  requiredValue,
} from '../../../meta/field-error.ts';
import { exactQuantity } from '../../../schema/exact-quantity.ts';
import { compareQuantityTexts, wholeValue } from '../../validation/quantities.ts';
import {
  isHugePagesResource,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceQuantity,
} from '../../validation/resource-names.ts';
import type { Container } from '../container-types.ts';
import type { ResourceList } from '../resource-list.ts';
import type { ResourceClaim, ResourceRequirements } from '../resource-requirement-types.ts';
import { checkDnsLabel, type Errors } from './field-checks.ts';

const resizableResources = ['cpu', 'memory'];
const resizePolicies = ['NotRequired', 'RestartContainer'];
const hugePagesSize = /^hugepages-([0-9]+)([KMGT]i)?$/;
const sizeUnits: Readonly<Record<string, bigint>> = {
  Ki: 1024n,
  Mi: 1024n ** 2n,
  Gi: 1024n ** 3n,
  Ti: 1024n ** 4n,
};

interface ResourceContext {
  /** The names of the resource claims of the pod. */
  readonly claims: ReadonlySet<string>;
  readonly errors: Errors;
  readonly validateName?: (name: string, field: string) => FieldError[];
}

export function validateResources(resources: ResourceRequirements, field: string, context: ResourceContext): void {
  const { limits, requests, claims } = resources;
  const { errors, validateName = validateContainerResourceName } = context;
  for (const name in limits) {
    const amount = { field: `${field}.limits[${name}]`, errors, validateName };
    validateNameAndAmount(name, exactQuantity(limits, name), amount);
    validateHugePages(name, limits[name]!, amount);
  }
  for (const name in requests) {
    const amount = { field: `${field}.requests[${name}]`, errors, validateName };
    validateNameAndAmount(name, exactQuantity(requests, name), amount);
    validateAgainstLimit(name, resources, { field, errors });
    validateHugePages(name, requests[name]!, amount);
  }
  if ((hasHugePages(limits) || hasHugePages(requests)) && !hasComputeResources(limits, requests)) {
    errors.push(forbiddenValue(field, 'HugePages require cpu or memory'));
  }
  if (claims !== undefined) validateClaims(claims, `${field}.claims`, context);
}

interface AmountContext extends Required<Omit<ResourceContext, 'claims'>> {
  readonly field: string;
}

function validateNameAndAmount(name: string, amount: string, context: AmountContext): void {
  const { field, errors, validateName } = context;
  errors.push(...validateName(name, field), ...validateResourceQuantity(name, amount, field));
}

function validateAgainstLimit(
  name: string,
  { limits, requests }: ResourceRequirements,
  { field, errors }: { readonly field: string; readonly errors: Errors },
): void {
  const amount = requests![name]!;
  const limit = limits !== undefined && Object.hasOwn(limits, name) ? limits[name] : undefined;
  if (limit === undefined) {
    if (isOvercommitAllowed(name)) return;
    errors.push(requiredValue(`${field}.limits`, 'Limit must be set for non overcommitable resources'));
    return;
  }
  const order = compareQuantityTexts(exactQuantity(requests!, name), exactQuantity(limits!, name));
  if (order !== 0 && !isOvercommitAllowed(name)) {
    errors.push(invalidValue(`${field}.requests`, amount, `must be equal to ${name} limit of ${limit}`));
  } else if (order > 0) {
    errors.push(invalidValue(`${field}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`));
  }
}

/** The amount must be a multiple of the page size. */
function validateHugePages(name: string, amount: string, { field, errors }: AmountContext): void {
  if (!isHugePagesResource(name)) return;
  const match = hugePagesSize.exec(name);
  const size = match === null ? 0n : BigInt(match[1]!) * (sizeUnits[match[2] ?? ''] ?? 1n);
  if (size > 0n && wholeValue(amount) % size === 0n) return;
  errors.push(invalidValue(field, amount, `${amount} is not positive integer multiple of ${name}`));
}

function hasHugePages(list: ResourceList | undefined): boolean {
  for (const name in list) if (isHugePagesResource(name)) return true;
  return false;
}

function hasComputeResources(...lists: (ResourceList | undefined)[]): boolean {
  return lists.some((list) => list !== undefined && (Object.hasOwn(list, 'cpu') || Object.hasOwn(list, 'memory')));
}

function validateClaims(claims: readonly ResourceClaim[], field: string, context: ResourceContext): void {
  const { claims: known, errors } = context;
  const used = new Set<string>();
  for (const [index, { name, request }] of claims.entries()) {
    const path = `${field}[${index}]`;
    if (!name) {
      errors.push(requiredValue(path));
      continue;
    }
    if (request) checkDnsLabel(request, `${path}.request`, errors);
    const key = request ? `${name}/${request}` : name;
    if (used.has(name)) errors.push(duplicateValue(path, name));
    else if (used.has(key)) errors.push(duplicateValue(path, key));
    else {
      if (!request && [...used].some((other) => other.startsWith(`${name}/`))) errors.push(duplicateValue(path, name));
      used.add(key);
    }
    if (!known.has(name)) errors.push(unknownClaim(path, name, known));
  }
}

function unknownClaim(field: string, name: string, known: ReadonlySet<string>): FieldError {
  const error = notFoundValue(field, name);
  const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${names}` };
}

export function validateResizePolicy(
  policies: NonNullable<Container['resizePolicy']>,
  field: string,
  { podRestartPolicy, errors }: { readonly podRestartPolicy: string | undefined; readonly errors: Errors },
): void {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) errors.push(duplicateValue(`${field}[${index}]`, resourceName));
    seen.add(resourceName);
    validateChoice(resourceName, field, { supported: resizableResources, errors });
    validateChoice(restartPolicy, field, { supported: resizePolicies, errors });
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      errors.push(invalidValue(field, restartPolicy, detail));
    }
  }
}

/** Requires one of a list of values. */
export function validateChoice(
  value: string | undefined,
  field: string,
  { supported, errors }: { readonly supported: readonly string[]; readonly errors: Errors },
): void {
  if (!value) errors.push(requiredValue(field));
  else if (!supported.includes(value)) errors.push(notSupportedValue(field, value, supported));
}
