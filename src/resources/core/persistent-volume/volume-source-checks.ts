import { type FieldError, invalidValue, requiredValue } from '../../../meta/field-error.ts';

/** A volume source as decoded JSON. */
export type VolumeSource = Readonly<Record<string, unknown>>;

export interface SourceCheck {
  readonly source: VolumeSource;
  readonly field: string;
  /** Empty for a volume spec that is inline in another object. */
  readonly volumeName: string;
  readonly errors: FieldError[];
}

export const textOf = (source: VolumeSource, name: string): string => (source[name] as string | undefined) ?? '';

export const lengthOf = (source: VolumeSource, name: string): number =>
  (source[name] as readonly unknown[] | undefined)?.length ?? 0;

export function requireText({ source, field, errors }: SourceCheck, ...names: readonly string[]): void {
  for (const name of names) if (textOf(source, name) === '') errors.push(requiredValue(`${field}.${name}`));
}

export function requireList({ source, field, errors }: SourceCheck, name: string): void {
  if (lengthOf(source, name) === 0) errors.push(requiredValue(`${field}.${name}`));
}

/** Requires the fields of an optional reference when the reference is set. */
export function requireReference(check: SourceCheck, name: string, fields: readonly string[]): void {
  const source = check.source[name] as VolumeSource | undefined;
  if (source !== undefined) requireText({ ...check, source, field: `${check.field}.${name}` }, ...fields);
}

export function checkByte({ source, field, errors }: SourceCheck, name: string): void {
  const value = (source[name] as number | undefined) ?? 0;
  if (!isByte(value)) errors.push(invalidValue(`${field}.${name}`, value, 'must be between 0 and 255, inclusive'));
}

/** Partition 0 is accepted, although the message says otherwise. */
export function checkPartition({ source, field, errors }: SourceCheck): void {
  const partition = (source.partition as number | undefined) ?? 0;
  if (!isByte(partition)) errors.push(invalidPartition(`${field}.partition`, partition));
}

export function invalidPartition(field: string, partition: number): FieldError {
  return invalidValue(field, partition, 'must be between 1 and 255, inclusive');
}

export function isByte(value: number): boolean {
  return value >= 0 && value <= 255;
}

const initiatorSyntaxes: readonly (readonly [string, RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([0-9A-Za-z.-]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[0-9A-Za-z]{16}$/],
  ['naa', /^naa.[0-9A-Za-z]{32}$/],
];

/** Returns whether a text is the name of an iSCSI initiator or target. */
export function isInitiatorName(name: string): boolean {
  return initiatorSyntaxes.some(([prefix, syntax]) => name.startsWith(prefix) && syntax.test(name));
}

export function checkNoBacksteps({ source, field, errors }: SourceCheck, name: string): void {
  const path = textOf(source, name);
  if (path.split('/').includes('..')) errors.push(invalidValue(`${field}.${name}`, path, "must not contain '..'"));
}
