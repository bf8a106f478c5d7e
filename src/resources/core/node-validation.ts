import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  internalFieldError,
  invalidValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { exactQuantity } from '../../schema/exact-quantity.ts';
import { parseCidr, validateCidr } from '../validation/addresses.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateResourceQuantity } from '../validation/resource-names.ts';
import { validateTaintEffect } from '../validation/tolerations.ts';
import { validateNodeAnnotations } from './node-annotations.ts';
import { validateDeclaredFeatures } from './node-features.ts';
import type { NodeSpec, NodeStatus } from './node-types.ts';
import { NodeAddress } from './node-types.ts';
import { Taint } from './scheduling-types.ts';

/** kube-apiserver still reports taints under the path that they had before they moved to `spec.taints`. */
const taintsPath = 'metadata.taints';

export function validateNode({ metadata, spec, status }: ResourceObject): FieldError[] {
  const { taints, podCIDRs } = (spec ?? {}) as NodeSpec;
  return [
    ...validateNodeAnnotations(metadata.annotations),
    ...taintErrors(taints ?? []),
    ...resourceErrors((status ?? {}) as NodeStatus),
    ...podCidrErrors(podCIDRs ?? []),
    ...reportErrors((status ?? {}) as NodeStatus),
  ];
}

/** Validates the parts of the status that a node reports when it registers. */
function reportErrors({ declaredFeatures = [], nodeInfo }: NodeStatus): FieldError[] {
  const capacity = nodeInfo?.swap?.capacity;
  const errors = validateDeclaredFeatures(declaredFeatures);
  if (capacity !== undefined && capacity <= 0) {
    errors.push(invalidValue('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero'));
  }
  return errors;
}

/** Checks that apply to updates of both the resource and its status. */
export function validateNodeChange(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const spec = (next.spec ?? {}) as NodeSpec;
  const previous = (oldObject.spec ?? {}) as NodeSpec;
  const status = (next.status ?? {}) as NodeStatus;
  const errors = [
    ...validateNodeAnnotations(next.metadata.annotations),
    ...resourceErrors(status),
    ...validateDeclaredFeatures(status.declaredFeatures ?? []),
    ...addressErrors(status.addresses ?? []),
    ...changedPodCidrErrors(spec.podCIDRs ?? [], previous.podCIDRs ?? []),
  ];
  if (previous.providerID && previous.providerID !== spec.providerID) {
    errors.push(forbiddenValue('spec.providerID', onlyOnce('providerID')));
  }
  errors.push(...taintErrors(spec.taints ?? []));
  if ((previous.externalID ?? '') !== (spec.externalID ?? '')) {
    errors.push(forbiddenValue('spec.externalID', 'may not be updated'));
  }
  return errors;
}

const onlyOnce = (field: string) => `node updates may not change ${field} except from "" to valid`;

function taintErrors(taints: readonly Taint[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const { key = '', value = '', effect = '' } = taint;
    const path = `${taintsPath}[${index}]`;
    for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${path}.key`, key, detail));
    const problems = labelValueErrors(value);
    if (problems.length > 0) errors.push(invalidValue(`${path}.value`, value, problems.join(';')));
    if (effect === '') errors.push(requiredValue(`${path}.effect`));
    else errors.push(...validateTaintEffect(effect, `${path}.effect`));
    const identity = `${effect} ${key}`;
    if (seen.has(identity)) {
      const duplicate = duplicateValue(path, internalValue(Taint, taint));
      errors.push({ ...duplicate, message: `${duplicate.message}: taints must be unique by key and effect pair` });
    }
    seen.add(identity);
  }
  return errors;
}

function resourceErrors({ capacity, allocatable }: NodeStatus): FieldError[] {
  return Object.entries({ capacity, allocatable }).flatMap(([list, amounts]) =>
    Object.keys(amounts ?? {}).flatMap((name) =>
      validateResourceQuantity(name, exactQuantity(amounts!, name), `status.${list}.${name}`),
    ),
  );
}

/** Allows at most one range per address family. */
function podCidrErrors(cidrs: string[]): FieldError[] {
  const path = 'spec.podCIDRs';
  const errors = cidrs.flatMap((text, index) => validateCidr(text, `${path}[${index}]`));
  if (cidrs.length < 2) return errors;
  const parsed = cidrs.map((text) => parseCidr(text));
  const broken = parsed.indexOf(undefined);
  if (broken !== -1) {
    const reason = `invalid CIDR[${broken}]: <nil> (invalid CIDR address: ${cidrs[broken]})`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${reason}`;
    errors.push(internalFieldError(path, detail));
  }
  const families = new Set(parsed.map((cidr) => cidr?.address.family));
  if (broken !== -1 || families.size < 2 || cidrs.length > 2) {
    errors.push(invalidValue(path, cidrs, 'may specify no more than one CIDR for each IP family'));
  }
  return errors;
}

/** Reports one error per index that differs. */
function changedPodCidrErrors(next: readonly string[], old: readonly string[]): FieldError[] {
  if (old.length === 0) return [];
  const changed = next.length === old.length ? old.filter((cidr, index) => cidr !== next[index]).length : 1;
  return Array.from({ length: changed }, () => forbiddenValue('spec.podCIDRs', onlyOnce('podCIDR')));
}

function addressErrors(addresses: readonly { type?: string; address?: string }[]): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, nodeAddress] of addresses.entries()) {
    const { type = '', address = '' } = nodeAddress;
    const identity = `${type} ${address}`;
    if (seen.has(identity)) {
      errors.push(duplicateValue(`status.addresses[${index}]`, internalValue(NodeAddress, nodeAddress)));
    }
    seen.add(identity);
  }
  return errors;
}
