import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { immutableDetail, isSameValue } from '../validation/immutable.ts';
import { type Integer, validateNonNegative } from '../validation/numbers.ts';

export const controllerRevisionRules: Partial<ResourceRules> = {
  updateChecks: ['metadataChange', 'metadata', 'change'],
  validate: validateControllerRevision,
  validateUpdate: validateControllerRevisionUpdate,
};

function validateControllerRevision({ data, revision }: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  if (data === undefined || data === null) errors.push(requiredValue('data', 'data is mandatory'));
  else if (typeof data !== 'object' || Array.isArray(data)) {
    errors.push(requiredValue('data', 'data must be a valid JSON object'));
  }
  errors.push(...validateNonNegative(revision as Integer | undefined, 'revision'));
  return errors;
}

/**
 * The data of a revision is a historical record. Only the revision number may change. Like in kube-apiserver, the data is
 * its text, so that another order of its keys is a change.
 */
function validateControllerRevisionUpdate({ data, revision }: ResourceObject, oldObject: ResourceObject): FieldError[] {
  return [
    ...(isSameValue(data, oldObject.data, { inOrder: true }) ? [] : [invalidValue('data', data, immutableDetail)]),
    ...validateNonNegative(revision as Integer | undefined, 'revision'),
  ];
}
