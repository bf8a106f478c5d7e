import { type FieldError, invalidValue, notSupportedValue } from '../../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../../meta/names.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { PersistentVolumeSpec } from '../persistent-volume-types.ts';

const volumeModes = enumOf(PersistentVolumeSpec, 'volumeMode');

export function validateVolumeMode(mode: string | undefined, field: string): FieldError[] {
  return mode === undefined || volumeModes.includes(mode) ? [] : [notSupportedValue(field, mode, volumeModes)];
}

/** Validates the names of storage classes and volume attributes classes. */
export function validateClassName(name: string, field: string): FieldError[] {
  return dnsSubdomainErrors(name).map((detail) => invalidValue(field, name, detail));
}
