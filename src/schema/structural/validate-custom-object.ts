import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { StructSchema } from '../model.ts';
import { embeddedErrors } from './embedded-errors.ts';
import { listTypeErrors } from './list-type-errors.ts';
import { validateCustomValue } from './validate-custom-value.ts';
import { boundedErrors } from './validation-run.ts';

export interface ValidateCustomOptions {
  /** The object before the update. */
  readonly oldObject?: ResourceObject | undefined;
  /** `status`: only the status is validated by its schema, and messages name fields relative to it. */
  readonly subresource?: '' | 'status';
}

/**
 * Validates an object in canonical form by the schema of its definition: values, embedded resources, list types.
 * Does not validate the metadata, which has the same rules for all kinds.
 */
export function validateCustomObject(
  schema: StructSchema,
  object: ResourceObject,
  { oldObject, subresource = '' }: ValidateCustomOptions = {},
): FieldError[] {
  const errors =
    subresource === 'status' ? statusErrors(schema, object, oldObject) : valueErrors(schema, object, oldObject);
  errors.push(
    ...boundedErrors('', () => [...embeddedErrors(schema, object), ...newListErrors(schema, object, oldObject)]),
  );
  return errors;
}

/** An object that already has such an error can still be updated. */
function newListErrors(schema: StructSchema, object: ResourceObject, oldObject: ResourceObject | undefined) {
  const errors = listTypeErrors(schema, object);
  if (errors.length === 0 || oldObject === undefined) return errors;
  return listTypeErrors(schema, oldObject).length === 0 ? errors : [];
}

function valueErrors({ structural }: StructSchema, object: ResourceObject, oldObject: ResourceObject | undefined) {
  if (structural === undefined) return [];
  const old = oldObject === undefined ? {} : { oldValue: oldObject };
  return validateCustomValue(structural.source, object, { path: '', ...old });
}

function statusErrors({ fields }: StructSchema, object: ResourceObject, oldObject: ResourceObject | undefined) {
  const source = fields.find(({ name }) => name === 'status')?.schema.structural?.source;
  if (source === undefined || object.status === undefined) return [];
  const old = oldObject === undefined ? {} : { oldValue: oldObject.status };
  return validateCustomValue(source, object.status, { path: 'status', ...old });
}
