import { type FieldError, type FieldErrorReason, invalidValue } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { evaluateRules, hasRules } from '../schema/rules/index.ts';
import type { JsonSchema } from '../schema/structural/json-schema.ts';

/** Errors of an object that is not as expressions expect it. */
const blocking: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notChecked = invalidValue(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

interface Checked {
  readonly oldObject?: ResourceObject;
  /** What else is wrong with the object. */
  readonly errors: FieldError[];
}

/** The validation rules of one version of a custom resource. */
export class CustomExpressions {
  readonly #schema: JsonSchema;
  /** Warnings about objects that were validated and are about to be written. */
  readonly #warnings = new WeakMap<ResourceObject, readonly string[]>();

  constructor(schema: JsonSchema) {
    this.#schema = schema;
  }

  /** Returns the errors with those of the rules, which are evaluated if the object has the shape of its schema. */
  validate(object: ResourceObject, { oldObject, errors }: Checked): FieldError[] {
    if (!hasRules(this.#schema, { isRoot: true })) return errors;
    if (errors.some(({ reason }) => blocking.has(reason))) return [...errors, notChecked];
    const found = this.#evaluate(object, oldObject);
    this.#warnings.set(object, found.warnings);
    return [...errors, ...found.errors];
  }

  /** The failures of rules that are tolerated, because an update does not change the values. */
  warnings(object: ResourceObject, oldObject: ResourceObject | undefined): string[] {
    if (oldObject === undefined || !hasRules(this.#schema, { isRoot: true })) return [];
    return [...(this.#warnings.get(object) ?? this.#evaluate(object, oldObject).warnings)];
  }

  #evaluate(object: ResourceObject, oldObject: ResourceObject | undefined) {
    const options = oldObject === undefined ? {} : { oldValue: oldObject, ratchets: true };
    return evaluateRules(this.#schema, object, { isRoot: true, ...options });
  }
}
