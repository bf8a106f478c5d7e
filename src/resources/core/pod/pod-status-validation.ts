import { duplicateValue, type FieldError, forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { ipFamily, validateIp } from '../../validation/addresses.ts';
import { checkSubdomain, type Errors } from './field-checks.ts';
import { validateAnnotationChanges, validatePodAnnotations } from './pod-annotation-validation.ts';
import type { Container, PodSpec } from './pod-shapes.ts';

interface ContainerStatus {
  readonly name?: string;
  readonly restartCount?: number;
  readonly state?: { readonly terminated?: { readonly exitCode?: number } };
}

interface Address {
  readonly ip?: string;
}

interface PodStatus {
  readonly conditions?: readonly { readonly type?: string }[];
  readonly nominatedNodeName?: string;
  readonly qosClass?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly Address[];
  readonly podIPs?: readonly Address[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly resourceClaimStatuses?: readonly { readonly name?: string; readonly resourceClaimName?: string }[];
}

export function validatePodStatus(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  const status = (next.status ?? {}) as PodStatus;
  const previous = (oldObject.status ?? {}) as PodStatus;
  const spec = (oldObject.spec ?? {}) as PodSpec;
  const annotations = next.metadata.annotations ?? {};
  const field = 'metadata.annotations';
  validateAnnotationChanges(annotations, oldObject.metadata.annotations ?? {}, { field, errors });
  validatePodAnnotations(annotations, field, { spec, errors });
  for (const [index, { type = '' }] of (status.conditions ?? []).entries()) {
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
  validateClaimStatuses(status, spec, errors);
  validateAddresses(status.podIPs ?? [], 'status.podIPs', errors);
  const { hostIP = '', hostIPs = [] } = status;
  if (hostIPs.length > 0 && hostIPs[0]!.ip !== hostIP) {
    errors.push(invalidValue('status.hostIPs[0].ip', hostIPs[0]!.ip ?? '', 'must be equal to `hostIP`'));
  }
  validateAddresses(hostIPs, 'status.hostIPs', errors);
  return errors;
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

interface TransitionContext {
  readonly status: PodStatus;
  readonly previous: PodStatus;
  readonly spec: PodSpec;
  readonly errors: Errors;
}

/** A terminated container that its restart policy does not restart must stay terminated. */
function validateTransitions(list: StatusList, { status, previous, spec, errors }: TransitionContext): void {
  const next = status[list] ?? [];
  for (const [index, { restartCount = 0 }] of next.entries()) {
    if (restartCount >= 0) continue;
    const path = `status.${list}[${index}].restartCount`;
    errors.push(invalidValue(path, restartCount, 'must be greater than or equal to 0'));
  }
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

/** At most one address per address family. */
function validateAddresses(addresses: readonly Address[], field: string, errors: Errors): void {
  for (const [index, { ip = '' }] of addresses.entries()) errors.push(...validateIp(ip, `${field}[${index}]`));
  if (addresses.length < 2) return;
  const families = new Set(addresses.map(({ ip = '' }) => ipFamily(ip)));
  if (families.size !== 2 || addresses.length > 2) {
    const shown = addresses.map(({ ip = '' }) => ({ IP: ip }));
    errors.push(invalidValue(field, shown, 'may specify no more than one IP for each IP family'));
  }
  const seen = new Set<string>();
  for (const [index, { ip = '' }] of addresses.entries()) {
    if (seen.has(ip)) errors.push(duplicateValue(`${field}[${index}]`, { IP: ip }));
    seen.add(ip);
  }
}
