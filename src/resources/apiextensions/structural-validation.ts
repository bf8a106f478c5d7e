import {
  type FieldError,
  fieldErrorText,
  forbiddenValue,
  invalidValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { maxErrors } from '../../schema/structural/error-limit.ts';
import {
  isEmbedded,
  isScalar,
  itemSchema,
  type JsonSchema,
  preservesUnknown,
  schemaOf,
} from '../../schema/structural/json-schema.ts';
import { completenessErrors } from './structural-completeness.ts';
import { isIntOrStringChoice, validateConstraints } from './structural-constraints.ts';

/** The error message for a missing type depends on its place. */
const places = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};
type Place = keyof typeof places;

/**
 * Checks that a schema is structural, which pruning and defaulting require. The errors are sorted by message. The
 * caller has checked that the schema has no keyword that `unsupportedKeyword` reports.
 */
export function validateStructural(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  validateNode(schema, { path, place: 'root' }, errors);
  errors.push(...completenessErrors(schema, path));
  if (errors.length < 2) return errors;
  const texts = new Map(errors.map((error) => [error, fieldErrorText(error)]));
  return errors.sort((a, b) => (texts.get(a)! < texts.get(b)! ? -1 : 1));
}

function validateNode(schema: JsonSchema, at: { path: string; place: Place }, errors: FieldError[]): void {
  if (errors.length >= maxErrors) return;
  const { path, place } = at;
  const { type = '', properties, additionalProperties } = schema;
  const items = itemSchema(schema);
  if (type === 'array' && items === undefined) errors.push(requiredValue(`${path}.items`, 'must be specified'));
  if (items !== undefined) validateNode(items, { path: `${path}.items`, place: 'item' }, errors);
  for (const name in properties) {
    const property = properties[name]!;
    if (property.pattern === undefined && isScalar(property)) continue;
    validateNode(property, { path: `${path}.properties[${name}]`, place: 'field' }, errors);
  }
  if (additionalProperties !== undefined) {
    const inner = `${path}.additionalProperties`;
    if (place === 'root') errors.push(forbiddenValue(inner, 'must not be used at the root'));
    const values = schemaOf(additionalProperties);
    if (values !== undefined) validateNode(values, { path: inner, place: 'field' }, errors);
  }
  validateExtensions(schema, path, errors);
  validateConstraints(schema, { path, anyOf: !isIntOrStringChoice(schema.anyOf) }, errors);
  validateType(schema, at, errors);
  if (place === 'root' || isEmbedded(schema)) validateObjectTypes(schema, path, errors);
  if (place === 'root') validateMetadata(properties?.metadata, `${path}.properties[metadata]`, errors);
  if (isEmbedded(schema) && !preservesUnknown(schema) && Object.keys(properties ?? {}).length === 0) {
    const detail = `must not be empty if ${embedded} is true without x-kubernetes-preserve-unknown-fields`;
    errors.push(requiredValue(`${path}.properties`, detail));
  }
}

const embedded = 'x-kubernetes-embedded-resource';
const intOrString = 'x-kubernetes-int-or-string';

function validateExtensions(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema[intOrString] !== true) return;
  const detail = `must be false if ${intOrString} is true`;
  if (preservesUnknown(schema)) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail));
  }
  if (isEmbedded(schema)) errors.push(invalidValue(`${path}.${embedded}`, true, detail));
}

function validateType(schema: JsonSchema, { path, place }: { path: string; place: Place }, errors: FieldError[]): void {
  const { type = '' } = schema;
  if (type !== '' && place !== 'root' && !isEmbedded(schema)) return;
  const at = `${path}.type`;
  if (isEmbedded(schema) && type !== 'object') {
    const detail = `must be object if ${embedded} is true`;
    errors.push(type === '' ? requiredValue(at, detail) : invalidValue(at, type, detail));
  } else if (type === '' && schema[intOrString] !== true && !preservesUnknown(schema)) {
    errors.push(requiredValue(at, places[place]));
  }
  if (isEmbedded(schema) && schema.additionalProperties !== undefined) {
    errors.push(forbiddenValue(`${path}.additionalProperties`, `must not be used if ${embedded} is set`));
  }
  if (place === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(at, type, 'must be object at the root'));
  }
}

/** `apiVersion`, `kind` and `metadata` have fixed types. */
function validateObjectTypes({ properties = {} }: JsonSchema, path: string, errors: FieldError[]): void {
  for (const [name, wanted] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined || property.type === wanted) continue;
    errors.push(invalidValue(`${path}.properties[${name}].type`, property.type ?? '', `must be ${wanted}`));
  }
}

/** `metadata` has a fixed schema. A definition may only restrict its names. */
function validateMetadata(metadata: JsonSchema | undefined, path: string, errors: FieldError[]): void {
  if (metadata === undefined) return;
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const names = Object.keys(properties);
  const onlyNames = names.every((name) => name === 'name' || name === 'generateName');
  if (onlyNames && Object.keys(rest).length === 0) return;
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  errors.push(forbiddenValue(path, detail));
}
