import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  internalFieldError,
  invalidValue,
} from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { listOf } from '../../../schema/builders.ts';
import { ipFamily, validateIp } from '../../validation/addresses.ts';
import { internalValue } from '../../validation/internal-value.ts';
import type { LinuxContainerUser } from '../container-status-types.ts';
import type { Container } from '../container-types.ts';
import type { PodExtendedResourceClaimStatus, PodStatus } from '../pod-status-types.ts';
import { PodIP } from '../pod-status-types.ts';
import type { PodSpec } from '../pod-types.ts';
import { checkDnsLabel, checkId, checkSubdomain, type Errors } from './field-checks.ts';
import { validateAnnotationChanges, validatePodAnnotations } from './pod-annotation-validation.ts';

export function validatePodStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  const status = (next.status ?? {}) as PodStatus;
  const previous = (oldObject.status ?? {}) as PodStatus;
  const spec = (oldObject.spec ?? {}) as PodSpec;
  const annotations = next.metadata.annotations ?? {};
  const field = 'metadata.annotations';
  validateAnnotationChanges(annotations, oldObject.metadata.annotations ?? {}, { field, errors });
  validatePodAnnotations(annotations, field, { spec, errors });
  checkGeneration(status.observedGeneration, 'status.observedGeneration', errors);
  for (const [index, { type = '', observedGeneration }] of (status.conditions ?? []).entries()) {
    checkGeneration(observedGeneration, `status.conditions[${index}].observedGeneration`, errors);
    for (const detail of labelKeyErrors(type)) {
      errors.push(invalidValue(`status.conditions[${index}].Type`, type, detail));
    }
  }
  const { nominatedNodeName, qosClass = '' } = status;
  if (nominatedNodeName && nominatedNodeName !== previous.nominatedNodeName) {
    checkSubdomain(nominatedNodeName, 'status.nominatedNodeName', errors);
  }
  if (qosClass !== (previous.qosClass ?? '')) {
    errors.push(invalidValue('status.qosClass', qosClass, 'field is immutable'));
  }
  validateTransitions('containerStatuses', { status, previous, spec, errors });
  validateTransitions('initContainerStatuses', { status, previous, spec, errors });
  validateTransitions('ephemeralContainerStatuses', { status, previous, spec, errors });
  for (const list of statusLists) validateContainerStatuses(list, { status, spec, errors });
  validateClaimStatuses(status, spec, errors);
  validateExtendedClaim(status.extendedResourceClaimStatus, spec, errors);
  validateAddresses(status.podIPs ?? [], 'status.podIPs', errors);
  validateDistinct(status.podIPs ?? [], 'status.podIPs', errors);
  const { hostIP = '', hostIPs = [] } = status;
  if (hostIPs.length > 0 && hostIPs[0]!.ip !== hostIP) {
    errors.push(invalidValue('status.hostIPs[0].ip', hostIPs[0]!.ip ?? '', 'must be equal to `hostIP`'));
  }
  validateAddresses(hostIPs, 'status.hostIPs', errors);
  return errors;
}

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;
type StatusList = (typeof statusLists)[number];

function checkGeneration(generation = 0, field: string, errors: Errors): void {
  if (generation < 0) errors.push(invalidValue(field, generation, 'must be a non-negative integer'));
}

function validateContainerStatuses(
  list: StatusList,
  { status, spec, errors }: Omit<TransitionContext, 'previous'>,
): void {
  for (const [index, { user, allocatedResourcesStatus }] of (status[list] ?? []).entries()) {
    const path = `status.${list}[${index}]`;
    if (user?.linux !== undefined) validateLinuxUser(user.linux, `${path}.user.linux`, { spec, errors });
    if (list !== 'containerStatuses' && allocatedResourcesStatus?.length) {
      errors.push(forbiddenValue(`${path}.allocatedResourcesStatus`, 'must not be specified in container status'));
    }
  }
}

function validateLinuxUser(
  { uid, gid, supplementalGroups = [] }: LinuxContainerUser,
  field: string,
  { spec, errors }: Pick<TransitionContext, 'spec' | 'errors'>,
): void {
  if (spec.os?.name === 'windows') {
    errors.push(forbiddenValue(field, 'cannot be set for a windows pod'));
    return;
  }
  checkId(uid, `${field}.uid`, errors);
  checkId(gid, `${field}.gid`, errors);
  for (const [index, id] of supplementalGroups.entries()) checkId(id, `${field}.supplementalGroups[${index}]`, errors);
}

interface TransitionContext {
  readonly status: PodStatus;
  readonly previous: PodStatus;
  readonly spec: PodSpec;
  readonly errors: Errors;
}

/** A terminated container that its restart policy does not restart must stay terminated. */
function validateTransitions(list: StatusList, { status, previous, spec, errors }: TransitionContext): void {
  const next = status[list] ?? [];
  for (const [index, { name, state }] of (previous[list] ?? []).entries()) {
    const ended = state?.terminated;
    if (ended === undefined || mayRestart(list, { name, exitCode: ended.exitCode ?? 0, spec })) continue;
    for (const other of next) {
      if (other.name !== name || other.state?.terminated !== undefined) continue;
      const path = `status.${list}[${index}].state`;
      errors.push(forbiddenValue(path, 'may not be transitioned to non-terminated state'));
    }
  }
}

function mayRestart(
  list: StatusList,
  { name, exitCode, spec }: { readonly name?: string; readonly exitCode: number; readonly spec: PodSpec },
): boolean {
  if (list === 'ephemeralContainerStatuses') return false;
  const containers = list === 'containerStatuses' ? spec.containers : spec.initContainers;
  const container = (containers ?? []).find((one: Container) => one.name === name);
  if (container?.restartPolicyRules?.length) return true;
  const isInit = list === 'initContainerStatuses';
  const policy = container?.restartPolicy ?? spec.restartPolicy;
  if (policy === 'Always' || (isInit && spec.restartPolicy === 'Always')) return true;
  return policy === 'OnFailure' && exitCode !== 0;
}

function validateClaimStatuses(status: PodStatus, spec: PodSpec, errors: Errors): void {
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  for (const [index, { name = '', resourceClaimName }] of (status.resourceClaimStatuses ?? []).entries()) {
    const path = `status.resourceClaimStatuses[${index}].name`;
    if (!known.has(name)) {
      errors.push(invalidValue(path, name, 'must match the name of an entry in `spec.resourceClaims`'));
    }
    if (seen.has(name)) errors.push(duplicateValue(path, name));
    seen.add(name);
    if (resourceClaimName !== undefined) checkSubdomain(resourceClaimName, path, errors);
  }
}

/** The extended resources of containers for which a claim has been made. */
function validateExtendedClaim(claim: PodExtendedResourceClaimStatus | undefined, spec: PodSpec, errors: Errors): void {
  if (claim === undefined) return;
  const field = 'status.extendedResourceClaimStatus';
  const { resourceClaimName = '' } = claim;
  checkSubdomain(resourceClaimName, `${field}.resourceClaimName`, errors);
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  for (const [index, { containerName = '', resourceName = '', requestName = '' }] of (
    claim.requestMappings ?? []
  ).entries()) {
    const path = `${field}.requestMappings[${index}]`;
    const container = containers.find(({ name }) => name === containerName);
    if (container === undefined) {
      const detail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      errors.push(invalidValue(`${path}.containerName`, containerName, detail));
    } else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName)) {
      const places = 'spec.initContainers.resources.requests or spec.containers.resources.requests';
      const detail = `must match the extended resource name of an entry in ${places}`;
      errors.push(invalidValue(`${path}.resourceName`, resourceName, detail));
    }
    checkDnsLabel(requestName, `${field}.requestName`, errors);
  }
}

/** Allows at most one address per address family. */
function validateAddresses(addresses: readonly PodIP[], field: string, errors: Errors): void {
  for (const [index, { ip = '' }] of addresses.entries()) errors.push(...validateIp(ip, `${field}[${index}]`));
  if (addresses.length < 2) return;
  const families = addresses.map(({ ip = '' }) => ipFamily(ip));
  const unknown = families.indexOf(undefined);
  if (unknown !== -1) {
    const { ip = '' } = addresses[unknown]!;
    errors.push(internalFieldError(field, `failed to check for dual stack with error:invalid IP[${unknown}]: ${ip}`));
  }
  if (unknown !== -1 || new Set(families).size !== 2 || addresses.length > 2) {
    const shown = internalValue(listOf(PodIP), addresses);
    errors.push(invalidValue(field, shown, 'may specify no more than one IP for each IP family'));
  }
}

function validateDistinct(addresses: readonly PodIP[], field: string, errors: Errors): void {
  const seen = new Set<string>();
  for (const [index, address] of addresses.entries()) {
    const { ip = '' } = address;
    if (seen.has(ip)) errors.push(duplicateValue(`${field}[${index}]`, internalValue(PodIP, address)));
    seen.add(ip);
  }
}
