import { type FieldError, invalidValue, tooLong } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { dataKeyErrors } from '../validation/data-keys.ts';
import { validateImmutableObject } from '../validation/immutable.ts';
import { base64Size, maxDataBytes } from './data-size.ts';

export const configMapRules: Partial<ResourceRules> = {
  updateChecks: ['metadataChange', 'change', 'metadata', 'object'],
  validate,
  validateUpdate: (next, oldObject) => validateImmutableObject(next, oldObject, ['data', 'binaryData']),
};

function validate(configMap: ResourceObject): FieldError[] {
  const data = configMap.data as Record<string, string> | undefined;
  const binaryData = configMap.binaryData as Record<string, string> | undefined;
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in data) {
    for (const detail of dataKeyErrors(key)) errors.push(invalidValue(`data[${key}]`, key, detail));
    if (binaryData !== undefined && Object.hasOwn(binaryData, key)) {
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += Buffer.byteLength(data[key]!);
  }
  for (const key in binaryData) {
    for (const detail of dataKeyErrors(key)) errors.push(invalidValue(`binaryData[${key}]`, key, detail));
    size += base64Size(binaryData[key]!);
  }
  // The limit applies to the sum of all fields, so the error names none of them.
  if (size > maxDataBytes) errors.push(tooLong('[]', maxDataBytes));
  return errors;
}
