import { goQuote } from '../../../meta/go-quote.ts';
import { labelValueErrors } from '../../../meta/label-syntax.ts';
import { dnsLabelErrors } from '../../../meta/names.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { exactQuantity } from '../../../schema/exact-quantity.ts';
import { ipWarnings } from '../../validation/addresses.ts';
import { isWholeQuantity } from '../../validation/quantities.ts';
import type { Container } from '../container-types.ts';
import { successorOf } from '../persistent-volume/deprecated-node-labels.ts';
import type { PodSpec } from '../pod-types.ts';
import type { ResourceList } from '../resource-list.ts';
import type { NodeSelectorTerm, PodAffinity } from '../scheduling-types.ts';
import { eachContainer } from './each-container.ts';
import {
  appArmorPrefix,
  hasPrefix,
  seccompContainerPrefix,
  seccompPodAnnotation,
} from './pod-annotation-validation.ts';
import { portWarnings } from './port-warnings.ts';
import { volumeWarnings } from './volume-warnings.ts';

const uselessAnnotations: readonly (readonly [string, string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];
const uselessSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const oldAppArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead';
const noSelector = 'a null labelSelector results in matching no pod';

type Annotations = Readonly<Record<string, string>>;
type Warn = (field: string, text: string) => void;

/** Warns only about new pods: updates are mostly made by controllers, which ignore warnings. */
export function podWarnings(pod: ResourceObject, oldObject: ResourceObject | undefined): string[] {
  if (oldObject !== undefined) return [];
  const { name = '', annotations = {} } = pod.metadata;
  const spec = (pod.spec ?? {}) as PodSpec;
  const warnings: string[] = [];
  for (const key in annotations) {
    if (key.startsWith(appArmorPrefix)) warnings.push(`metadata.annotations[${key}]: ${oldAppArmor}`);
  }
  const details = dnsLabelErrors(name);
  if (details.length > 0) {
    const problem = "this is used in the Pod's hostname, which can result in surprising behavior";
    warnings.push(`metadata.name: ${problem}; a DNS label is recommended: [${details.join(' ')}]`);
  }
  warnings.push(...specWarnings(spec, annotations, ''));
  return warnings;
}

export function templateWarnings(spec: PodSpec, annotations: Annotations, path: string): string[] {
  return specWarnings(spec, annotations, `${path}.`);
}

function specWarnings(spec: PodSpec, annotations: Annotations, prefix: string): string[] {
  const warnings: string[] = [];
  const warn = (field: string, text: string) => warnings.push(`${prefix}${field}: ${text}`);
  nodeWarnings(spec, warn);
  for (const [key, text] of uselessAnnotations) {
    if (annotations[key] !== undefined) warn(`metadata.annotations[${key}]`, text);
  }
  if (spec.volumes !== undefined) warnings.push(...volumeWarnings(spec.volumes, `${prefix}spec.volumes`));
  duplicateWarnings(spec, warn);
  byteWarnings(spec.overhead, 'spec.overhead', warn);
  if (annotations[seccompPodAnnotation] !== undefined && spec.securityContext?.seccompProfile === undefined) {
    warn(`metadata.annotations[${seccompPodAnnotation}]`, uselessSeccomp);
  }
  const seccomp = hasPrefix(annotations, seccompContainerPrefix) ? seccompContainerPrefix : undefined;
  // In a pod the annotations have been copied to the fields by now. In a template they have not.
  const appArmor = prefix !== '' && hasPrefix(annotations, appArmorPrefix) ? appArmorPrefix : undefined;
  eachContainer(spec, 'spec', (container, path) => {
    const { name = '', securityContext } = container;
    const has = (key: string | undefined) => key !== undefined && annotations[key + name] !== undefined;
    if (has(seccomp) && securityContext?.seccompProfile === undefined) {
      warn(`metadata.annotations[${seccomp}${name}]`, uselessSeccomp);
    }
    if (has(appArmor) && securityContext?.appArmorProfile === undefined) {
      warn(`metadata.annotations[${appArmor}${name}]`, oldAppArmor);
    }
    containerWarnings(container, path, warn);
  });
  warnings.push(...portWarnings(spec, `${prefix}spec`));
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const text = 'must be >= 0; negative values are invalid and will be treated as 1';
    warn('spec.terminationGracePeriodSeconds', text);
  }
  affinityWarnings(spec.affinity?.podAffinity, 'spec.affinity.podAffinity', warn);
  affinityWarnings(spec.affinity?.podAntiAffinity, 'spec.affinity.podAntiAffinity', warn);
  for (const [index, server] of (spec.dnsConfig?.nameservers ?? []).entries()) {
    warnings.push(...ipWarnings(`${prefix}spec.dnsConfig.nameservers[${index}]`, server));
  }
  for (const [index, { ip = '' }] of (spec.hostAliases ?? []).entries()) {
    warnings.push(...ipWarnings(`${prefix}spec.hostAliases[${index}].ip`, ip));
  }
  return warnings;
}

function nodeWarnings(spec: PodSpec, warn: Warn): void {
  for (const key in spec.nodeSelector) {
    const text = labelWarning(key);
    if (text !== undefined) warn(`spec.nodeSelector[${key}]`, text);
  }
  const affinity = spec.affinity?.nodeAffinity;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = 'spec.affinity.nodeAffinity';
  for (const [index, term] of required.entries()) {
    const path = `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`;
    termWarnings(term, path, { warn, checksValues: false });
  }
  for (const [index, { preference }] of (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
    termWarnings(preference ?? {}, path, { warn, checksValues: true });
  }
  for (const [index, { topologyKey = '', labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const path = `spec.topologySpreadConstraints[${index}]`;
    const text = labelWarning(topologyKey);
    if (text !== undefined) warn(`${path}.topologyKey`, `${topologyKey} is ${text}`);
    if (labelSelector === undefined) warn(`${path}.labelSelector`, noSelector);
  }
}

function labelWarning(key: string): string | undefined {
  const successor = successorOf(key);
  return successor && `deprecated since ${successor.since}; use "${successor.use}" instead`;
}

function termWarnings(
  { matchExpressions }: NodeSelectorTerm,
  field: string,
  { warn, checksValues }: { readonly warn: Warn; readonly checksValues: boolean },
): void {
  for (const [index, { key = '', values }] of (matchExpressions ?? []).entries()) {
    const path = `${field}.matchExpressions[${index}]`;
    const text = labelWarning(key);
    if (text !== undefined) warn(`${path}.key`, `${key} is ${text}`);
    if (!checksValues) continue;
    for (const [valueIndex, value] of (values ?? []).entries()) {
      for (const detail of labelValueErrors(value)) {
        warn(`${path}.values[${valueIndex}]`, `${value} is invalid, ${detail}`);
      }
    }
  }
}

function duplicateWarnings({ hostAliases, imagePullSecrets }: PodSpec, warn: Warn): void {
  const addresses = new Set<string>();
  for (const [index, { ip = '' }] of (hostAliases ?? []).entries()) {
    if (addresses.has(ip)) warn(`spec.hostAliases[${index}].ip`, `duplicate ip ${goQuote(ip)}`);
    addresses.add(ip);
  }
  const names = new Set<string>();
  for (const [index, { name = '' }] of (imagePullSecrets ?? []).entries()) {
    if (names.has(name)) warn(`spec.imagePullSecrets[${index}].name`, `duplicate name ${goQuote(name)}`);
    names.add(name);
  }
  for (const [index, { name }] of (imagePullSecrets ?? []).entries()) {
    if (!name) warn(`spec.imagePullSecrets[${index}].name`, 'invalid empty name ""');
  }
}

function affinityWarnings(affinity: PodAffinity | undefined, field: string, warn: Warn): void {
  if (affinity === undefined) return;
  const { requiredDuringSchedulingIgnoredDuringExecution: required = [] } = affinity;
  for (const [index, { labelSelector }] of required.entries()) {
    if (labelSelector !== undefined) continue;
    warn(`${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector`, noSelector);
  }
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } = affinity;
  for (const [index, { podAffinityTerm }] of preferred.entries()) {
    if (podAffinityTerm?.labelSelector !== undefined) continue;
    const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`;
    warn(`${path}.labelSelector`, noSelector);
  }
}

function containerWarnings({ resources, env }: Container, field: string, warn: Warn): void {
  byteWarnings(resources?.limits, `${field}.resources.limits`, warn);
  byteWarnings(resources?.requests, `${field}.resources.requests`, warn);
  if (env === undefined || env.length < 2) return;
  const names = new Set<string>();
  for (const [index, { name = '', value = '', valueFrom }] of env.entries()) {
    // A variable that refers to its previous value does not hide it.
    if (names.has(name) && (valueFrom !== undefined || !value.includes(`$(${name})`))) {
      const text = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
      warn(`${field}.env[${index}]`, text);
    }
    names.add(name);
  }
}

/** Warns about fractional numbers of bytes. */
function byteWarnings(list: ResourceList | undefined, field: string, warn: Warn): void {
  for (const name of ['memory', 'ephemeral-storage']) {
    const amount = list?.[name];
    if (amount === undefined || isWholeQuantity(exactQuantity(list!, name))) continue;
    warn(`${field}[${name}]`, `fractional byte value ${goQuote(amount)} is invalid, must be an integer`);
  }
}
