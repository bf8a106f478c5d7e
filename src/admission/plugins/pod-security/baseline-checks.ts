import { goQuote } from '../../../meta/go-quote.ts';
import type { SecuredContainer, SecuredPod, SecurityContext } from './secured-pod.ts';
import {
  distinct,
  namesOf,
  pluralized,
  quoted,
  type SecurityCheck,
  subjectsSetting,
  type Violation,
  withNames,
} from './violation.ts';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const confined: ReadonlySet<string | undefined> = new Set(['RuntimeDefault', 'Localhost']);

export const appArmorProfile: SecurityCheck = (pod) => {
  const types: string[] = [];
  const subject = subjectsSetting(pod, ({ appArmorProfile: profile }) => {
    if (profile === undefined || confined.has(profile.type)) return false;
    types.push(profile.type ?? '');
    return true;
  });
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort();
  const subjects = [subject, annotations.length > 0 ? pluralized('annotation', annotations) : ''].filter(Boolean);
  if (subjects.length === 0) return undefined;
  const values = [...distinct(types), ...annotations];
  return {
    reason: pluralized('forbidden AppArmor profile', values),
    detail: `${subjects.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

function isAllowedAppArmor(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export const defaultCapabilitiesOnly: SecurityCheck = ({ containers }) => {
  const detail = addedCapabilities(containers, (capability) => defaultCapabilities.has(capability));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

/** Undefined when only allowed capabilities are added. */
export function addedCapabilities(
  containers: readonly SecuredContainer[],
  isAllowed: (capability: string) => boolean,
): string | undefined {
  const extra = ({ securityContext }: SecuredContainer): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => !isAllowed(capability));
  const adding = containers.filter((container) => extra(container).length > 0);
  if (adding.length === 0) return undefined;
  const subject = withNames('container', namesOf(adding));
  return `${subject} must not include ${quoted(distinct(adding.flatMap(extra)))} in securityContext.capabilities.add`;
}

export const privileged: SecurityCheck = ({ containers }) => {
  const found = containers.filter(({ securityContext }) => securityContext?.privileged === true);
  if (found.length === 0) return undefined;
  const subject = withNames('container', namesOf(found));
  return { reason: 'privileged', detail: `${subject} must not set securityContext.privileged=true` };
};

export const procMount: SecurityCheck = ({ containers }) => {
  const typeOf = ({ securityContext }: SecuredContainer): string => securityContext?.procMount ?? 'Default';
  const found = containers.filter((container) => typeOf(container) !== 'Default');
  if (found.length === 0) return undefined;
  const types = quoted(distinct(found.map(typeOf)));
  return {
    reason: 'procMount',
    detail: `${withNames('container', namesOf(found))} must not set securityContext.procMount to ${types}`,
  };
};

/** The check does not apply to pods in a user namespace: their root user has no privileges outside. */
export function unlessUserNamespace(check: SecurityCheck): SecurityCheck {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}

export function seLinuxOptions(allowed: readonly string[]): SecurityCheck {
  return (pod) => {
    const types: string[] = [];
    let user = false;
    let role = false;
    const subject = subjectsSetting(pod, ({ seLinuxOptions: options }) => {
      if (options === undefined) return false;
      const isBad = !allowed.includes(options.type ?? '');
      if (isBad) types.push(options.type ?? '');
      user ||= !!options.user;
      role ||= !!options.role;
      return isBad || !!options.user || !!options.role;
    });
    if (subject === '') return undefined;
    const problems = [
      ...(types.length > 0 ? [withNames('type', distinct(types))] : []),
      ...(user ? ['user may not be set'] : []),
      ...(role ? ['role may not be set'] : []),
    ];
    const detail = `${subject} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}

const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';

/** The annotations that preceded the seccomp fields. */
export const seccompAnnotations: SecurityCheck = ({ annotations, containers }) => {
  const keys = [seccompPod, ...namesOf(containers).map((name) => `${seccompContainer}${name}`)];
  const found = distinct(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isAllowedSeccomp(value) ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  if (found.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${pluralized('annotation', found)} ${found.join(', ')}` };
};

function isAllowedSeccomp(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
}

export function hasSeccompProfile({ seccompProfile }: SecurityContext): boolean {
  return confined.has(seccompProfile?.type);
}

export const seccompProfile: SecurityCheck = (pod): Violation | undefined => {
  const types: string[] = [];
  const subject = subjectsSetting(pod, (context) => {
    if (context.seccompProfile === undefined || hasSeccompProfile(context)) return false;
    types.push(context.seccompProfile.type ?? '');
    return true;
  });
  if (subject === '') return undefined;
  const detail = `${subject} must not set securityContext.seccompProfile.type to ${quoted(distinct(types))}`;
  return { reason: 'seccompProfile', detail };
};

export function sysctls(allowed: readonly string[]): SecurityCheck {
  return ({ spec }: SecuredPod) => {
    const names = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name);
    const found = names.filter((name) => !allowed.includes(name));
    return found.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: found.join(', ') };
  };
}
