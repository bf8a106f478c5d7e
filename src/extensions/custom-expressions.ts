import { type FieldError, type FieldErrorReason, invalidValue } from '../meta/field-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Steps } from '../meta/turns.ts';
import { type ExpressionMetrics, evaluateRules, hasRules } from '../schema/rules/index.ts';
import type { JsonSchema } from '../schema/structural/json-schema.ts';

/** Errors that mean that the object does not have the shape that expressions require. */
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
  readonly oldObject: ResourceObject | undefined;
  /** The other errors of the object. */
  readonly errors: FieldError[];
}

/** The validation rules of one version of a custom resource. */
export class CustomExpressions {
  readonly #schema: JsonSchema;
  readonly #metrics: ExpressionMetrics | undefined;
  /** Warnings about objects that were validated and are about to be written. */
  readonly #warnings = new WeakMap<ResourceObject, readonly string[]>();

  constructor(schema: JsonSchema, metrics?: ExpressionMetrics) {
    this.#schema = schema;
    this.#metrics = metrics;
  }

  /** Returns the errors with those of the rules, which are evaluated if the object has the shape of its schema. */
  *validate(object: ResourceObject, { oldObject, errors }: Checked): Steps<FieldError[]> {
    if (!hasRules(this.#schema, { isRoot: true })) return errors;
    if (errors.some(({ reason }) => blocking.has(reason))) return [...errors, notChecked];
    const options = oldObject === undefined ? {} : { oldValue: oldObject, ratchets: true };
    const found = yield* evaluateRules(this.#schema, object, { isRoot: true, metrics: this.#metrics, ...options });
    this.#warnings.set(object, found.warnings);
    return [...errors, ...found.errors];
  }

  /**
   * The failures of rules in an object that was validated, which are tolerated: the update does not change the values.
   */
  warnings(object: ResourceObject): readonly string[] {
    return this.#warnings.get(object) ?? [];
  }
}
