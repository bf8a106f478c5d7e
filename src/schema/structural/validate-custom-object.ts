import type { FieldError } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
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
export function* validateCustomObject(
  schema: StructSchema,
  object: ResourceObject,
  { oldObject, subresource = '' }: ValidateCustomOptions = {},
): Steps<FieldError[]> {
  const valid = subresource === 'status' ? statusErrors : valueErrors;
  const errors = yield* valid(schema, object, oldObject);
  if (isTurnOver()) yield;
  return [...errors, ...(yield* boundedErrors('', structureErrors(schema, object, oldObject)))];
}

function* structureErrors(schema: StructSchema, object: ResourceObject, oldObject: ResourceObject | undefined) {
  const errors = embeddedErrors(schema, object);
  if (isTurnOver()) yield;
  return [...errors, ...newListErrors(schema, object, oldObject)];
}

/** An object that already has such an error can still be updated. */
function newListErrors(schema: StructSchema, object: ResourceObject, oldObject: ResourceObject | undefined) {
  const errors = listTypeErrors(schema, object);
  if (errors.length === 0 || oldObject === undefined) return errors;
  return listTypeErrors(schema, oldObject).length === 0 ? errors : [];
}

function* valueErrors({ structural }: StructSchema, object: ResourceObject, oldObject: ResourceObject | undefined) {
  if (structural === undefined) return [];
  const old = oldObject === undefined ? {} : { oldValue: oldObject };
  return yield* validateCustomValue(structural.source, object, { path: '', ...old });
}

function* statusErrors({ fields }: StructSchema, object: ResourceObject, oldObject: ResourceObject | undefined) {
  const source = fields.find(({ name }) => name === 'status')?.schema.structural?.source;
  if (source === undefined || object.status === undefined) return [];
  const old = oldObject === undefined ? {} : { oldValue: oldObject.status };
  return yield* validateCustomValue(source, object.status, { path: 'status', ...old });
}
