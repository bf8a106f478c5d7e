import { duplicateValue, type FieldError, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { FlowSchemaStatus } from './flow-schema-types.ts';

/** Validates only the types of conditions, as kube-apiserver does in this group. */
export function validateConditionTypes({ status }: ResourceObject): FieldError[] {
  const { conditions = [] } = (status ?? {}) as FlowSchemaStatus;
  const types = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, { type = '' }] of conditions.entries()) {
    const field = `status.conditions[${index}].type`;
    if (types.has(type)) errors.push(duplicateValue(field, type));
    types.add(type);
    if (type === '') errors.push(requiredValue(field));
  }
  return errors;
}

/** A status update cannot change the metadata, not even labels. Only the owners of the written fields change. */
export function keepMetadata(next: ResourceObject, oldObject: ResourceObject): void {
  const { managedFields } = next.metadata;
  next.metadata = { ...oldObject.metadata };
  if (managedFields === undefined) delete next.metadata.managedFields;
  else next.metadata.managedFields = managedFields;
}
