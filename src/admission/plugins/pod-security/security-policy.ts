import { type FieldError, invalidValue } from '../../../meta/field-error.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;
export type SecurityLevel = (typeof levels)[number];

/** A level as one version of the standards defines it. */
export interface SecurityStandard {
  readonly level: SecurityLevel;
  /** `latest` or `v1.` and a number. */
  readonly version: string;
}

/** What a namespace asks of its pods. What is audited alone has no consequence here. */
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

/** Labels that mean nothing make the strictest rule where it is enforced, and none elsewhere. */
export function securityPolicy(labels: Labels = {}): SecurityPolicy {
  // Every new pod asks, and most namespaces leave it at that.
  if (!hasSecurityLabel(labels)) return noPolicy;
  const enforce = standardOf(labels, 'enforce', 'restricted');
  const warn = standardOf(labels, 'warn', 'privileged');
  const isStricter = levels.indexOf(enforce.level) > levels.indexOf(warn.level);
  const isGiven = levels.some((level) => level === labels[`${prefix}enforce`]);
  if (labels[`${prefix}warn`] !== undefined || !isGiven || !isStricter) return { enforce, warn };
  // Whoever will not get a pod from a template is told when the template is written.
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

/** Whether pods that were good enough before may not be now. */
export function isTightened(next: SecurityStandard, stored: SecurityStandard): boolean {
  if (next.level === 'privileged') return false;
  return next.version !== stored.version || levels.indexOf(next.level) > levels.indexOf(stored.level);
}

export function standardName({ level, version: asked }: SecurityStandard): string {
  return `${level}:${asked}`;
}
