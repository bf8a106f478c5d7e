import { forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import { goQuote } from '../../../meta/go-quote.ts';
import { validateTolerations } from '../../validation/tolerations.ts';
import type { PodSpec } from '../pod-types.ts';
import type { Toleration } from '../scheduling-types.ts';
import type { SeccompProfile } from '../security-context-types.ts';
import { eachContainer } from './each-container.ts';
import { checkDescendingPath, type Errors } from './field-checks.ts';

export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
export const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const integer = /^(?:0|-?[1-9][0-9]*|-0+[0-9]*)$/;
const localPrefix = 'localhost/';
const runtimeProfiles = ['runtime/default', 'docker/default'];

type Annotations = Readonly<Record<string, string>>;

/** Validates the annotations that Kubernetes itself interprets. */
export function validatePodAnnotations(
  annotations: Annotations,
  field: string,
  { spec, errors }: { readonly spec: PodSpec; readonly errors: Errors },
): void {
  const mirror = annotations[mirrorAnnotation];
  if (mirror !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalidValue(`${field}[${mirrorAnnotation}]`, mirror, detail));
  }
  if (annotations[tolerationsAnnotation]) validateTolerationsAnnotation(annotations, field, errors);
  const cost = annotations[deletionCostAnnotation];
  if (cost !== undefined && !isInt32(cost)) {
    errors.push(invalidValue(`${field}[${deletionCostAnnotation}]`, cost, 'must be a 32bit integer'));
  }
  for (const key in annotations) {
    if (key === seccompPodAnnotation || key.startsWith(seccompContainerPrefix)) {
      validateSeccompText(annotations[key]!, `${field}.${key}`, errors);
    }
  }
  for (const key in annotations) {
    if (key.startsWith(appArmorPrefix)) validateAppArmorAnnotation(key, annotations[key]!, { field, spec, errors });
  }
}

function validateTolerationsAnnotation(annotations: Annotations, field: string, errors: Errors): void {
  let tolerations: unknown;
  try {
    tolerations = JSON.parse(annotations[tolerationsAnnotation]!);
  } catch (error) {
    errors.push(invalidValue(field, tolerationsAnnotation, (error as Error).message));
    return;
  }
  if (!Array.isArray(tolerations)) return;
  const listed = tolerations.filter((one): one is Toleration => typeof one === 'object' && one !== null);
  errors.push(...validateTolerations(listed, `${field}.${tolerationsAnnotation}`));
}

function isInt32(text: string): boolean {
  return integer.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31;
}

function validateSeccompText(profile: string, field: string, errors: Errors): void {
  if (profile === 'unconfined' || runtimeProfiles.includes(profile)) return;
  if (profile.startsWith(localPrefix)) checkDescendingPath(profile.slice(localPrefix.length), field, errors);
  else errors.push(invalidValue(field, profile, 'must be a valid seccomp profile'));
}

function validateAppArmorAnnotation(
  key: string,
  profile: string,
  { field, spec, errors }: { readonly field: string; readonly spec: PodSpec; readonly errors: Errors },
): void {
  const name = key.slice(appArmorPrefix.length);
  let found = false;
  eachContainer(spec, '', (container) => {
    if (container.name === name) found = true;
  });
  if (!found) errors.push(invalidValue(`${field}[${key}]`, name, 'container not found'));
  if (profile === '' || profile === 'unconfined' || profile === 'runtime/default') return;
  if (profile.startsWith(localPrefix)) return;
  errors.push(invalidValue(`${field}[${key}]`, profile, `invalid AppArmor profile name: ${goQuote(profile)}`));
}

/** A seccomp annotation and the corresponding field must agree. */
export function validateSeccompMatches(annotations: Annotations, spec: PodSpec, { field, errors }: FieldErrors): void {
  if (annotations[seccompPodAnnotation] === undefined && !hasPrefix(annotations, seccompContainerPrefix)) return;
  const check = profileCheck('seccomp', errors);
  const ofPod = annotations[seccompPodAnnotation];
  check(spec.securityContext?.seccompProfile, ofPod, `${field}.securityContext.seccompProfile`);
  eachContainer(spec, field, ({ name = '', securityContext }, path) => {
    const own = annotations[`${seccompContainerPrefix}${name}`];
    check(securityContext?.seccompProfile, own, `${path}.securityContext.seccompProfile`);
  });
}

/** An AppArmor annotation of a new pod and the profile of the container must agree. */
export function validateAppArmorMatches(annotations: Annotations, spec: PodSpec, { field, errors }: FieldErrors): void {
  if (spec.os?.name === 'windows' || !hasPrefix(annotations, appArmorPrefix)) return;
  const check = profileCheck('apparmor', errors);
  eachContainer(spec, field, ({ name = '', securityContext }, path) => {
    const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    check(profile, annotations[`${appArmorPrefix}${name}`], `${path}.securityContext.appArmorProfile`);
  });
}

type ProfileCheck = (profile: SeccompProfile | undefined, annotation: string | undefined, path: string) => void;

function profileCheck(kind: 'seccomp' | 'apparmor', errors: Errors): ProfileCheck {
  return (profile, annotation, path) => {
    if (profile === undefined || annotation === undefined) return;
    if (!isSameType(profile, annotation)) {
      errors.push(forbiddenValue(`${path}.type`, `${kind} type in annotation and field must match`));
    } else if (profile.type === 'Localhost' && annotation !== `${localPrefix}${profile.localhostProfile ?? ''}`) {
      const detail = `${kind} profile in annotation and field must match`;
      errors.push(forbiddenValue(`${path}.localhostProfile`, detail));
    }
  };
}

/** Fast path: most pods have no such annotation, so their containers need no checks. */
export function hasPrefix(annotations: Annotations, prefix: string): boolean {
  for (const key in annotations) if (key.startsWith(prefix)) return true;
  return false;
}

interface FieldErrors {
  readonly field: string;
  readonly errors: Errors;
}

function isSameType({ type }: SeccompProfile, annotation: string): boolean {
  if (type === 'Unconfined') return annotation === 'unconfined';
  if (type === 'RuntimeDefault') return runtimeProfiles.includes(annotation);
  return type !== 'Localhost' || annotation.startsWith(localPrefix);
}

/** AppArmor and mirror pod annotations are immutable. */
export function validateAnnotationChanges(next: Annotations, old: Annotations, { field, errors }: FieldErrors): void {
  for (const key in old) {
    if (next[key] === old[key]) continue;
    const kind = immutableKind(key);
    if (kind !== undefined) errors.push(forbiddenValue(`${field}[${key}]`, `may not remove or update ${kind}`));
  }
  for (const key in next) {
    if (Object.hasOwn(old, key)) continue;
    const kind = immutableKind(key);
    if (kind !== undefined) errors.push(forbiddenValue(`${field}[${key}]`, `may not add ${kind}`));
  }
}

function immutableKind(key: string): string | undefined {
  if (key.startsWith(appArmorPrefix)) return 'AppArmor annotations';
  return key === mirrorAnnotation ? 'mirror pod annotation' : undefined;
}
