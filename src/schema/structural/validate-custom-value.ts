import type { FieldError } from '../../meta/field-error.ts';
import type { Steps } from '../../meta/turns.ts';
import type { JsonSchema } from './json-schema.ts';
import { schemaCheck } from './schema-check.ts';
import { uncorrelated, ValidationRun, type ValidationWork } from './validation-run.ts';

export interface ValidateValueOptions {
  /** The path of the value, such as `status`. Empty for a whole object. */
  readonly path: string;
  /** The value before the update. Errors in parts that the update does not change are tolerated. */
  readonly oldValue?: unknown;
  /** Shared by validations whose work is limited together. */
  readonly work?: ValidationWork;
}

/**
 * Validates a value by its schema, with the messages of Kubernetes. Errors of alternatives (`oneOf` ...) name their
 * location only in the sentence; their field is the path of the whole value.
 */
export function validateCustomValue(
  schema: JsonSchema,
  value: unknown,
  options: ValidateValueOptions,
): Steps<FieldError[]> {
  const { path, work } = options;
  const old = 'oldValue' in options ? options.oldValue : uncorrelated;
  return ValidationRun.of(schemaCheck(schema), { value, old, path, work });
}
