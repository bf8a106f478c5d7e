import { type FieldError, invalidValue } from '../../../meta/field-error.ts';

export const securityLevels = ['privileged', 'baseline', 'restricted'] as const;
export type SecurityLevel = (typeof securityLevels)[number];

/** A level in one version of the standards. */
export interface SecurityStandard {
  readonly level: SecurityLevel;
  /** `latest` or `v1.` followed by the minor version. */
  readonly version: string;
}

/** The standards for the pods of a namespace: enforced, audited, or with warnings. */
export type SecurityPolicy = Readonly<Record<(typeof modes)[number], SecurityStandard>>;

const prefix = 'pod-security.kubernetes.io/';
const latest = 'latest';
/** Matches all versions except `latest`. */
export const securityVersionPattern = /^v1\.(?:[0-9]|[1-9][0-9]*)$/;
const modes = ['enforce', 'audit', 'warn'] as const;

type Labels = Readonly<Record<string, string>>;

const free: SecurityStandard = { level: 'privileged', version: latest };
export const noPolicy: SecurityPolicy = { enforce: free, audit: free, warn: free };

/** The policy of a namespace. Invalid labels mean the strictest level for enforcement, and none otherwise. */
export function securityPolicy(labels: Labels = {}, defaults: SecurityPolicy = noPolicy): SecurityPolicy {
  // The fast path: this runs for every new pod, and most namespaces have no labels.
  if (!hasSecurityLabel(labels)) return defaults;
  const enforce = standardOf(labels, 'enforce', { defaults, otherwise: 'restricted' });
  // Pods are created from templates later, so warnings and audit annotations are produced when the template is written.
  const isGiven = securityLevels.some((level) => level === labels[`${prefix}enforce`]);
  const atLeastEnforced = (mode: 'audit' | 'warn'): SecurityStandard => {
    const standard = standardOf(labels, mode, { defaults, otherwise: 'privileged' });
    const isStricter = strictness(enforce) > strictness(standard);
    if (labels[`${prefix}${mode}`] !== undefined || !isGiven || !isStricter) return standard;
    const hasVersion = labels[`${prefix}${mode}-version`] !== undefined;
    return { level: enforce.level, version: hasVersion ? standard.version : enforce.version };
  };
  return { enforce, audit: atLeastEnforced('audit'), warn: atLeastEnforced('warn') };
}

/** Whether nothing is enforced, recorded or warned about. */
export function isPrivileged(policy: SecurityPolicy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** The standards of the policy that are not privileged, such as `enforce=baseline:latest, warn=restricted:v1.30`. */
export function policyText(policy: SecurityPolicy): string {
  const strict = modes.filter((mode) => policy[mode].level !== 'privileged');
  return strict.map((mode) => `${mode}=${standardName(policy[mode])}`).join(', ');
}

export function isSamePolicy(left: SecurityPolicy, right: SecurityPolicy): boolean {
  return modes.every((mode) => isSameStandard(left[mode], right[mode]));
}

function strictness({ level }: SecurityStandard): number {
  return securityLevels.indexOf(level);
}

function hasSecurityLabel(labels: Labels): boolean {
  for (const key in labels) if (key.startsWith(prefix)) return true;
  return false;
}

function standardOf(
  labels: Labels,
  mode: (typeof modes)[number],
  { defaults, otherwise }: { readonly defaults: SecurityPolicy; readonly otherwise: SecurityLevel },
): SecurityStandard {
  const level = labels[`${prefix}${mode}`];
  const version = labels[`${prefix}${mode}-version`];
  const standard = defaults[mode];
  return {
    level: level === undefined ? standard.level : (securityLevels.find((known) => known === level) ?? otherwise),
    version: version === undefined ? standard.version : securityVersionPattern.test(version) ? version : latest,
  };
}

export function securityLabelErrors(labels: Labels = {}): FieldError[] {
  const errors: FieldError[] = [];
  for (const mode of modes) {
    const level = labels[`${prefix}${mode}`];
    if (level !== undefined && !securityLevels.some((known) => known === level)) {
      errors.push(
        invalidValue(`metadata.labels[${prefix}${mode}]`, level, `must be one of ${securityLevels.join(', ')}`),
      );
    }
    const requested = labels[`${prefix}${mode}-version`];
    if (requested !== undefined && requested !== latest && !securityVersionPattern.test(requested)) {
      errors.push(invalidValue(`metadata.labels[${prefix}${mode}-version]`, requested, 'must be "latest" or "v1.x"'));
    }
  }
  return errors;
}

export function isSameStandard(left: SecurityStandard, right: SecurityStandard): boolean {
  return left.level === right.level && left.version === right.version;
}

/** Whether pods that conformed before may now violate the standard. */
export function isTightened(next: SecurityStandard, old: SecurityStandard): boolean {
  if (next.level === 'privileged') return false;
  return next.version !== old.version || strictness(next) > strictness(old);
}

export function standardName({ level, version: requested }: SecurityStandard): string {
  return `${level}:${requested}`;
}
