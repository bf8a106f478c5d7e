import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooLong,
} from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import { validateLabels } from '../../../meta/validate-labels.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { validateIp } from '../../validation/addresses.ts';
import { validateTolerations } from '../../validation/tolerations.ts';
import { PodSpec } from '../pod-types.ts';
import { validateAffinity } from './affinity-validation.ts';
import {
  type ContainerContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './container-validation.ts';
import { validateDnsConfig, validateDnsPolicy } from './dns-validation.ts';
import { validateFileVolumes } from './environment-validation.ts';
import { checkDnsLabel, checkSubdomain, type Errors } from './field-checks.ts';
import { validateOperatingSystem } from './operating-system-validation.ts';
import { validatePodClaims } from './pod-claim-validation.ts';
import { validatePodResources } from './pod-resource-validation.ts';
import { validateChoice, validateResources } from './resource-validation.ts';
import { validatePodSecurityContext } from './security-context-validation.ts';
import { validateTopologySpread } from './topology-spread-validation.ts';
import { type SpecOwner, validateVolumes } from './volume-validation.ts';
import { validateHostProcesses } from './windows-options-validation.ts';

const restartPolicies = enumOf(PodSpec, 'restartPolicy');
const preemptionPolicies = enumOf(PodSpec, 'preemptionPolicy');
const maxInt32 = 2_147_483_647;
const maxHostnameLength = 64;
const noClaims: ReadonlySet<string> = new Set();

/** Validates the spec of a pod or a pod template. Expects that the defaults are set. */
export function validatePodSpec(
  spec: PodSpec,
  field: string,
  { owner, errors }: { readonly owner: SpecOwner; readonly errors: Errors },
): void {
  if (spec.terminationGracePeriodSeconds === undefined) {
    errors.push(requiredValue(`${field}.terminationGracePeriodSeconds`));
  }
  const volumes = validateVolumes(spec.volumes ?? [], `${field}.volumes`, { owner, errors });
  const { podName } = owner;
  const claims = validatePodClaims(spec.resourceClaims ?? [], `${field}.resourceClaims`, { podName, errors });
  const context: ContainerContext = {
    spec,
    volumes,
    claims,
    gracePeriod: spec.terminationGracePeriodSeconds,
    operatingSystem: spec.os?.name,
    errors,
  };
  if (spec.schedulingGroup !== undefined) {
    const { podGroupName } = spec.schedulingGroup;
    const at = `${field}.schedulingGroup`;
    if (podGroupName === undefined) errors.push(invalidValue(at, '', 'must specify one of: `podGroupName`'));
    else checkSubdomain(podGroupName, `${at}.podGroupName`, errors);
  }
  validateContainers(`${field}.containers`, context);
  validateInitContainers(`${field}.initContainers`, context);
  validateEphemeralContainers(`${field}.ephemeralContainers`, context);
  validateFileVolumes(spec, field, errors);
  validatePodResources(spec, `${field}.resources`, { claims, errors });
  if (spec.hostNetwork) validateHostNetwork(spec, field, { owner, errors });
  validateChoice(spec.restartPolicy, `${field}.restartPolicy`, { supported: restartPolicies, errors });
  validateDnsPolicy(spec, `${field}.dnsPolicy`, errors);
  if (spec.nodeSelector !== undefined) errors.push(...validateLabels(spec.nodeSelector, `${field}.nodeSelector`));
  validatePodSecurityContext(spec, `${field}.securityContext`, errors);
  if (spec.affinity !== undefined) validateAffinity(spec.affinity, `${field}.affinity`, errors);
  validateDnsConfig(spec, `${field}.dnsConfig`, errors);
  validateGates(spec, field, errors);
  if (spec.topologySpreadConstraints !== undefined) {
    validateTopologySpread(spec.topologySpreadConstraints, `${field}.topologySpreadConstraints`, errors);
  }
  validateHostProcesses(spec, field, errors);
  validateHostUsers(spec, field, errors);
  validateHostnameOverride(spec, field, errors);
  validateNames(spec, field, errors);
  validateScheduling(spec, field, errors);
  if (spec.os !== undefined) validateOperatingSystem(spec, field, errors);
}

/** With host networking, host port and container port must be equal. In a template the host port may be absent. */
function validateHostNetwork(
  { containers }: PodSpec,
  field: string,
  { owner, errors }: { readonly owner: SpecOwner; readonly errors: Errors },
): void {
  for (const [index, { ports }] of (containers ?? []).entries()) {
    for (const [portIndex, { hostPort = 0, containerPort = 0 }] of (ports ?? []).entries()) {
      if (hostPort === containerPort || (hostPort === 0 && !owner.isPod)) continue;
      const path = `${field}.containers[${index}].ports[${portIndex}].hostPort`;
      errors.push(invalidValue(path, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    }
  }
}

function validateGates({ readinessGates, schedulingGates }: PodSpec, field: string, errors: Errors): void {
  for (const [index, { conditionType = '' }] of (readinessGates ?? []).entries()) {
    const path = `${field}.readinessGates[${index}].conditionType`;
    for (const detail of labelKeyErrors(conditionType)) errors.push(invalidValue(path, conditionType, detail));
  }
  const names = new Set<string>();
  for (const [index, { name = '' }] of (schedulingGates ?? []).entries()) {
    const path = `${field}.schedulingGates[${index}]`;
    for (const detail of labelKeyErrors(name)) errors.push(invalidValue(path, name, detail));
    if (names.has(name)) errors.push(duplicateValue(path, name));
    names.add(name);
  }
}

/** A pod with a user namespace cannot share other namespaces with the node, nor use its block devices. */
function validateHostUsers(spec: PodSpec, field: string, errors: Errors): void {
  if (spec.hostUsers !== false) return;
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork) errors.push(forbiddenValue(`${field}.hostNetwork`, detail));
  if (spec.hostPID) errors.push(forbiddenValue(`${field}.HostPID`, detail));
  if (spec.hostIPC) errors.push(forbiddenValue(`${field}.HostIPC`, detail));
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [index, { volumeDevices }] of (spec[kind] ?? []).entries()) {
      if (volumeDevices?.length) errors.push(forbiddenValue(`${field}.${kind}[${index}].volumeDevices`, detail));
    }
  }
}

function validateNames(spec: PodSpec, field: string, errors: Errors): void {
  const { serviceAccountName, nodeName, activeDeadlineSeconds, hostname, subdomain } = spec;
  if (serviceAccountName) checkSubdomain(serviceAccountName, `${field}.serviceAccountName`, errors);
  if (nodeName) checkSubdomain(nodeName, `${field}.nodeName`, errors);
  if (activeDeadlineSeconds !== undefined && (activeDeadlineSeconds < 1 || activeDeadlineSeconds > maxInt32)) {
    const detail = `must be between 1 and ${maxInt32}, inclusive`;
    errors.push(invalidValue(`${field}.activeDeadlineSeconds`, activeDeadlineSeconds, detail));
  }
  if (hostname) checkDnsLabel(hostname, `${field}.hostname`, errors);
  if (subdomain) checkDnsLabel(subdomain, `${field}.subdomain`, errors);
}

function validateScheduling(spec: PodSpec, field: string, errors: Errors): void {
  errors.push(...validateTolerations(spec.tolerations, `${field}.tolerations`));
  for (const [index, { ip = '', hostnames }] of (spec.hostAliases ?? []).entries()) {
    const path = `${field}.hostAliases[${index}]`;
    errors.push(...validateIp(ip, `${path}.ip`));
    for (const [nameIndex, name] of (hostnames ?? []).entries()) {
      checkSubdomain(name, `${path}.hostnames[${nameIndex}]`, errors);
    }
  }
  if (spec.priorityClassName) checkSubdomain(spec.priorityClassName, `${field}.priorityClassName`, errors);
  if (spec.runtimeClassName !== undefined) {
    checkSubdomain(spec.runtimeClassName, `${field}.runtimeClassName`, errors);
  }
  const { preemptionPolicy, overhead } = spec;
  if (preemptionPolicy !== undefined && !preemptionPolicies.includes(preemptionPolicy)) {
    errors.push(notSupportedValue(`${field}.preemptionPolicy`, preemptionPolicy, preemptionPolicies));
  }
  if (overhead !== undefined)
    validateResources({ limits: overhead }, `${field}.overhead`, { claims: noClaims, errors });
}

function validateHostnameOverride(spec: PodSpec, field: string, errors: Errors): void {
  const { hostnameOverride, hostNetwork, setHostnameAsFQDN } = spec;
  if (hostnameOverride === undefined) return;
  const path = `${field}.hostnameOverride`;
  checkSubdomain(hostnameOverride, path, errors);
  if (hostnameOverride.length > maxHostnameLength) errors.push(tooLong(path, maxHostnameLength));
  if (hostNetwork) errors.push(forbiddenValue(path, 'may not be specified when hostNetwork is true'));
  if (setHostnameAsFQDN) errors.push(forbiddenValue(path, 'may not be specified when setHostnameAsFQDN is true'));
}
