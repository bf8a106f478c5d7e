import { type FieldError, invalidValue, requiredValue } from '../../../meta/field-error.ts';

/** A source in its JSON form. */
export type VolumeSource = Readonly<Record<string, unknown>>;

export interface SourceCheck {
  readonly source: VolumeSource;
  readonly field: string;
  /** Of the volume; empty for one that is described inside of another object. */
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

/** The parts of a reference that is given. */
export function requireReference(check: SourceCheck, name: string, parts: readonly string[]): void {
  const source = check.source[name] as VolumeSource | undefined;
  if (source !== undefined) requireText({ ...check, source, field: `${check.field}.${name}` }, ...parts);
}

/** Disks have as many partitions, and targets as many units. */
export function checkByte({ source, field, errors }: SourceCheck, name: string): void {
  const value = (source[name] as number | undefined) ?? 0;
  if (value < 0 || value > 255) {
    errors.push(invalidValue(`${field}.${name}`, value, 'must be between 0 and 255, inclusive'));
  }
}

export function checkNoBacksteps({ source, field, errors }: SourceCheck, name: string): void {
  const path = textOf(source, name);
  if (path.split('/').includes('..')) errors.push(invalidValue(`${field}.${name}`, path, "must not contain '..'"));
}
