import { forbiddenValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { isExplicitEmpty } from '../../../schema/explicit-empty.ts';
import type { PodSpec } from '../pod-types.ts';
import type { PodSecurityContext, SecurityContext } from '../security-context-types.ts';
import { eachContainer } from './each-container.ts';
import type { Errors } from './field-checks.ts';

const systems = ['linux', 'windows'];
const notForLinux = 'windows options cannot be set for a linux pod';
const notForWindows = 'cannot be set for a windows pod';

/** Fields of the pod spec and of its security context that only Linux supports, in validation order. */
const linuxPodFields: readonly (readonly ['spec', keyof PodSpec] | readonly ['context', keyof PodSecurityContext])[] = [
  ['context', 'appArmorProfile'],
  ['context', 'seLinuxOptions'],
  ['spec', 'hostUsers'],
  ['spec', 'hostPID'],
  ['spec', 'hostIPC'],
  ['context', 'seccompProfile'],
  ['context', 'fsGroup'],
  ['context', 'fsGroupChangePolicy'],
  ['context', 'sysctls'],
  ['spec', 'shareProcessNamespace'],
  ['context', 'runAsUser'],
  ['context', 'runAsGroup'],
  ['context', 'supplementalGroups'],
  ['context', 'supplementalGroupsPolicy'],
];

const linuxContainerFields: readonly (keyof SecurityContext)[] = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** A pod that sets its operating system must not set fields of the other one. */
export function validateOperatingSystem(spec: PodSpec, field: string, errors: Errors): void {
  const name = spec.os?.name;
  if (!name) errors.push(requiredValue(`${field}.os.name`));
  else if (!systems.includes(name)) errors.push(notSupportedValue(`${field}.os`, name, systems));
  else if (name === 'linux') validateLinux(spec, field, errors);
  else validateWindows(spec, field, errors);
}

function validateLinux(spec: PodSpec, field: string, errors: Errors): void {
  if (spec.securityContext?.windowsOptions !== undefined) {
    errors.push(forbiddenValue(`${field}.securityContext.windowsOptions`, notForLinux));
  }
  eachContainer(spec, field, ({ securityContext }, path) => {
    if (securityContext?.windowsOptions === undefined) return;
    errors.push(forbiddenValue(`${path}.securityContext.windowsOptions`, notForLinux));
  });
}

function validateWindows(spec: PodSpec, field: string, errors: Errors): void {
  for (const [section, name] of linuxPodFields) {
    const value = section === 'spec' ? spec[name] : spec.securityContext?.[name];
    // An empty list counts as set for this field only.
    const isEmptyList = name === 'supplementalGroups' && isExplicitEmpty(spec.securityContext, name);
    if (value === undefined && !isEmptyList) continue;
    const path = section === 'spec' ? `${field}.${name}` : `${field}.securityContext.${name}`;
    errors.push(forbiddenValue(path, notForWindows));
  }
  eachContainer(spec, field, ({ securityContext }, path) => {
    if (securityContext === undefined) return;
    for (const name of linuxContainerFields) {
      if (securityContext[name] === undefined) continue;
      errors.push(forbiddenValue(`${path}.securityContext.${name}`, notForWindows));
    }
  });
}
