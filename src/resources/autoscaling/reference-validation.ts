import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { pathSegmentErrors } from '../../meta/names.ts';
import type { CrossVersionObjectReference } from './horizontal-pod-autoscaler-v2-types.ts';

interface ReferenceOptions {
  /** Allows the core group, whose versions have no group prefix. */
  readonly anyGroup?: boolean;
  /** Skips the validation of the version. */
  readonly anyVersion?: boolean;
}

/** A reference to an object of any type in the same namespace. */
export function validateReference(
  { kind = '', name = '', apiVersion = '' }: CrossVersionObjectReference = {},
  path: string,
  options: ReferenceOptions,
): FieldError[] {
  const errors = [...segmentErrors(kind, `${path}.kind`), ...segmentErrors(name, `${path}.name`)];
  const detail = versionProblem(apiVersion, options);
  if (detail !== undefined) errors.push(invalidValue(`${path}.apiVersion`, apiVersion, detail));
  return errors;
}

function segmentErrors(value: string, field: string): FieldError[] {
  if (value === '') return [requiredValue(field)];
  return pathSegmentErrors(value).map((detail) => invalidValue(field, value, detail));
}

function versionProblem(apiVersion: string, { anyGroup, anyVersion }: ReferenceOptions): string | undefined {
  if (anyVersion) return undefined;
  const segments = apiVersion.split('/');
  if (segments.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = segments.length === 2 ? segments[0] : '';
  return group === '' && !anyGroup ? 'apiVersion must specify API group' : undefined;
}
