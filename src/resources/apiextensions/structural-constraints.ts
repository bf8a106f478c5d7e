import { type FieldError, forbiddenValue, invalidValue } from '../../meta/field-error.ts';
import { maxErrors } from '../../schema/structural/error-limit.ts';
import { itemSchema, type JsonSchema } from '../../schema/structural/json-schema.ts';
import { goRegexpError } from './go-regexp.ts';

interface ConstraintsAt {
  readonly path: string;
  /** False when `anyOf` is the mandatory choice between integer and string, which is not validated further. */
  readonly anyOf: boolean;
}

/** Validates the keywords that constrain values. */
export function validateConstraints(schema: JsonSchema, { path, anyOf }: ConstraintsAt, errors: FieldError[]): void {
  if (anyOf && schema.anyOf !== undefined) validateEach(schema.anyOf, { path: `${path}.anyOf` }, errors);
  if (schema.allOf !== undefined) {
    const skipFirst = isIntOrStringChoice(schema.allOf[0]?.anyOf);
    validateEach(schema.allOf, { path: `${path}.allOf`, skipFirst }, errors);
  }
  if (schema.oneOf !== undefined) validateEach(schema.oneOf, { path: `${path}.oneOf` }, errors);
  if (schema.not !== undefined) validateNested(schema.not, { path: `${path}.not`, anyOf: true }, errors);
  const problem = schema.pattern === undefined ? undefined : goRegexpError(schema.pattern);
  if (problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    errors.push(invalidValue(`${path}.pattern`, schema.pattern, detail));
  }
}

function validateEach(
  schemas: readonly JsonSchema[],
  { path, skipFirst = false }: { readonly path: string; readonly skipFirst?: boolean },
  errors: FieldError[],
): void {
  for (const [index, nested] of schemas.entries()) {
    validateNested(nested, { path: `${path}[${index}]`, anyOf: !(skipFirst && index === 0) }, errors);
  }
}

const forbiddenInside: readonly (readonly [keyof JsonSchema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** A schema under `allOf`, `anyOf`, `oneOf` or `not` may only constrain values, not define their structure. */
function validateNested(schema: JsonSchema, at: ConstraintsAt, errors: FieldError[]): void {
  if (errors.length >= maxErrors) return;
  validateConstraints(schema, at, errors);
  const { path } = at;
  const items = itemSchema(schema);
  if (items !== undefined) validateNested(items, { path: `${path}.items`, anyOf: true }, errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    validateNested(property, { path: `${path}.properties[${name}]`, anyOf: true }, errors);
  }
  for (const [keyword, detail] of forbiddenInside) {
    const value = schema[keyword];
    if (value === undefined || value === null || (detail.includes('false') && value === false)) continue;
    errors.push(forbiddenValue(`${path}.${keyword}`, detail));
  }
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, 'metadata')) {
    errors.push(forbiddenValue(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}

export function isIntOrStringChoice(anyOf: readonly JsonSchema[] | undefined): boolean {
  return anyOf?.length === 2 && hasOnlyType(anyOf[0]!, 'integer') && hasOnlyType(anyOf[1]!, 'string');
}

function hasOnlyType(schema: JsonSchema, type: string): boolean {
  return schema.type === type && Object.keys(schema).length === 1;
}
