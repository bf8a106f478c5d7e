import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooLong,
} from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { internalValue } from '../../validation/internal-value.ts';
import type { PodSpec } from '../pod-types.ts';
import { PodSecurityContext, SeccompProfile, SecurityContext } from '../security-context-types.ts';
import { checkDescendingPath, checkId, type Errors } from './field-checks.ts';
import { validateSysctls } from './sysctl-validation.ts';
import { validateWindowsOptions } from './windows-options-validation.ts';

const profileTypes = enumOf(SeccompProfile, 'type');
const procMounts = enumOf(SecurityContext, 'procMount');
const groupPolicies = enumOf(PodSecurityContext, 'supplementalGroupsPolicy');
const ownershipPolicies = enumOf(PodSecurityContext, 'fsGroupChangePolicy');
/** The other policies need a feature that is off by default. */
const labelPolicies = ['Recursive'];
const maxProfileLength = 4095;
const clusterPolicy = 'disallowed by cluster policy';

/** Returns whether the error reports a privileged container or a host process container. */
export function isPrivilegedError({ reason, message }: FieldError): boolean {
  return reason === 'FieldValueForbidden' && message.endsWith(clusterPolicy);
}

export function validateSecurityContext(
  context: SecurityContext,
  field: string,
  { hostUsers, errors }: { readonly hostUsers: boolean; readonly errors: Errors },
): void {
  // This error is always reported. `allowPrivileged` removes it when privileged containers are enabled.
  if (context.privileged) errors.push(forbiddenValue(`${field}.privileged`, clusterPolicy));
  checkId(context.runAsUser, `${field}.runAsUser`, errors);
  checkId(context.runAsGroup, `${field}.runAsGroup`, errors);
  const { procMount } = context;
  if (procMount !== undefined) {
    if (!procMounts.includes(procMount)) errors.push(notSupportedValue(`${field}.procMount`, procMount, procMounts));
    if (hostUsers && procMount === 'Unmasked') {
      const detail = '`hostUsers` must be false to use `Unmasked`';
      errors.push(invalidValue(`${field}.procMount`, procMount, detail));
    }
  }
  validateSeccomp(context.seccompProfile, `${field}.seccompProfile`, errors);
  validateEscalation(context, field, errors);
  validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`, errors);
  validateAppArmor(context.appArmorProfile, `${field}.appArmorProfile`, errors);
}

function validateEscalation(context: SecurityContext, field: string, errors: Errors): void {
  if (context.allowPrivilegeEscalation !== false) return;
  const contradiction = 'cannot set `allowPrivilegeEscalation` to false and';
  if (context.privileged) {
    errors.push(
      invalidValue(field, internalValue(SecurityContext, context), `${contradiction} \`privileged\` to true`),
    );
  }
  for (const capability of context.capabilities?.add ?? []) {
    if (capability !== 'CAP_SYS_ADMIN') continue;
    const detail = `${contradiction} \`capabilities.Add\` CAP_SYS_ADMIN`;
    errors.push(invalidValue(field, internalValue(SecurityContext, context), detail));
  }
}

function validateSeccomp(profile: SeccompProfile | undefined, field: string, errors: Errors): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  if (!type) errors.push(requiredValue(`${field}.type`, 'type is required when seccompProfile is set'));
  else if (!profileTypes.includes(type)) errors.push(notSupportedValue(`${field}.type`, type, profileTypes));
  const at = `${field}.localhostProfile`;
  if (type === 'Localhost') {
    if (localhostProfile === undefined) {
      errors.push(requiredValue(at, 'must be set when seccomp type is Localhost'));
    } else {
      checkDescendingPath(localhostProfile, at, errors);
    }
  } else if (localhostProfile !== undefined) {
    errors.push(
      invalidValue(at, internalValue(SeccompProfile, profile), 'can only be set when seccomp type is Localhost'),
    );
  }
}

function validateAppArmor(profile: SeccompProfile | undefined, field: string, errors: Errors): void {
  if (profile === undefined) return;
  const { type, localhostProfile } = profile;
  const at = `${field}.localhostProfile`;
  if (!type) errors.push(requiredValue(`${field}.type`, 'type is required when appArmorProfile is set'));
  else if (!profileTypes.includes(type)) errors.push(notSupportedValue(`${field}.type`, type, profileTypes));
  else if (type !== 'Localhost') {
    if (localhostProfile === undefined) return;
    errors.push(invalidValue(at, localhostProfile, 'can only be set when AppArmor type is Localhost'));
  } else if (!localhostProfile) {
    errors.push(requiredValue(at, 'must be set when AppArmor type is Localhost'));
  } else {
    const trimmed = localhostProfile.trim();
    if (trimmed !== localhostProfile)
      errors.push(invalidValue(at, localhostProfile, 'must not be padded with whitespace'));
    if (localhostProfile.length > maxProfileLength) errors.push(tooLong(at, maxProfileLength));
  }
}

export function validatePodSecurityContext(spec: PodSpec, field: string, errors: Errors): void {
  const context = spec.securityContext;
  if (context === undefined) return;
  checkId(context.fsGroup, `${field}.fsGroup`, errors);
  checkId(context.runAsUser, `${field}.runAsUser`, errors);
  checkId(context.runAsGroup, `${field}.runAsGroup`, errors);
  for (const [index, id] of (context.supplementalGroups ?? []).entries()) {
    checkId(id, `${field}.supplementalGroups[${index}]`, errors);
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalidValue(`${field}.shareProcessNamespace`, true, detail));
  }
  if (context.sysctls !== undefined) validateSysctls(context.sysctls, `${field}.sysctls`, { spec, errors });
  validatePolicy(context, 'fsGroupChangePolicy', { field, supported: ownershipPolicies, errors });
  validateSeccomp(context.seccompProfile, `${field}.seccompProfile`, errors);
  validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`, errors);
  validateAppArmor(context.appArmorProfile, `${field}.appArmorProfile`, errors);
  validatePolicy(context, 'supplementalGroupsPolicy', { field, supported: groupPolicies, errors });
  validatePolicy(context, 'seLinuxChangePolicy', { field, supported: labelPolicies, errors });
}

function validatePolicy(
  context: PodSecurityContext,
  name: 'supplementalGroupsPolicy' | 'fsGroupChangePolicy' | 'seLinuxChangePolicy',
  { field, supported, errors }: { field: string; supported: readonly string[]; errors: Errors },
): void {
  const value = context[name];
  if (value !== undefined && !supported.includes(value)) {
    errors.push(notSupportedValue(`${field}.${name}`, value, supported));
  }
}
