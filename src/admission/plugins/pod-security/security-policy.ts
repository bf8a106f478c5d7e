import { type FieldError, invalidValue } from '../../../meta/field-error.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;
export type SecurityLevel = (typeof levels)[number];

/** A level in one version of the standards. */
export interface SecurityStandard {
  readonly level: SecurityLevel;
  /** `latest` or `v1.` followed by the minor version. */
  readonly version: string;
}

/** The policy of a namespace. The audit level has no effect here. */
export interface SecurityPolicy {
  readonly enforce: SecurityStandard;
  readonly warn: SecurityStandard;
}

const prefix = 'pod-security.kubernetes.io/';
const latest = 'latest';
const version = /^v1\.(?:[0-9]|[1-9][0-9]*)$/;
const modes = ['enforce', 'audit', 'warn'] as const;

type Labels = Readonly<Record<string, string>>;

const free: SecurityStandard = { level: 'privileged', version: latest };
const noPolicy: SecurityPolicy = { enforce: free, warn: free };

/** Invalid labels mean the strictest level for enforcement, and none otherwise. */
export function securityPolicy(labels: Labels = {}): SecurityPolicy {
  // The fast path: this runs for every new pod, and most namespaces have no labels.
  if (!hasSecurityLabel(labels)) return noPolicy;
  const enforce = standardOf(labels, 'enforce', 'restricted');
  const warn = standardOf(labels, 'warn', 'privileged');
  const isStricter = levels.indexOf(enforce.level) > levels.indexOf(warn.level);
  const isGiven = levels.some((level) => level === labels[`${prefix}enforce`]);
  if (labels[`${prefix}warn`] !== undefined || !isGiven || !isStricter) return { enforce, warn };
  // Pods are created from templates later, so the warning comes when the template is written.
  return {
    enforce,
    warn: {
      level: enforce.level,
      version: labels[`${prefix}warn-version`] === undefined ? enforce.version : warn.version,
    },
  };
}

function hasSecurityLabel(labels: Labels): boolean {
  for (const key in labels) if (key.startsWith(prefix)) return true;
  return false;
}

function standardOf(labels: Labels, mode: string, otherwise: SecurityLevel): SecurityStandard {
  const level = labels[`${prefix}${mode}`];
  const asked = labels[`${prefix}${mode}-version`] ?? latest;
  return {
    level: level === undefined ? free.level : (levels.find((known) => known === level) ?? otherwise),
    version: version.test(asked) ? asked : latest,
  };
}

export function securityLabelErrors(labels: Labels = {}): FieldError[] {
  const errors: FieldError[] = [];
  for (const mode of modes) {
    const level = labels[`${prefix}${mode}`];
    if (level !== undefined && !levels.some((known) => known === level)) {
      errors.push(invalidValue(`metadata.labels[${prefix}${mode}]`, level, `must be one of ${levels.join(', ')}`));
    }
    const asked = labels[`${prefix}${mode}-version`];
    if (asked !== undefined && asked !== latest && !version.test(asked)) {
      errors.push(invalidValue(`metadata.labels[${prefix}${mode}-version]`, asked, 'must be "latest" or "v1.x"'));
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
  return next.version !== old.version || levels.indexOf(next.level) > levels.indexOf(old.level);
}

export function standardName({ level, version: asked }: SecurityStandard): string {
  return `${level}:${asked}`;
}
