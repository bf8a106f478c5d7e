import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { json } from '../../schema/builders.ts';
import { validateCustomValue } from '../../schema/structural/index.ts';
import {
  isEmbedded,
  itemSchema,
  type JsonSchema,
  objectFieldNames,
  preservesUnknown,
  schemaOf,
} from '../../schema/structural/json-schema.ts';
import { sortedValue } from '../../schema/structural/sorted-value.ts';
import { internalForm } from '../validation/internal-form.ts';

/** Checks the defaults of a structural schema against it. Defaults cannot occur under `additionalProperties`. */
export function validateDefaults(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  validateNode(schema, { path, isObject: true, insideMeta: false }, errors);
  return errors;
}

interface NodeAt {
  readonly path: string;
  /** True for the root and for embedded resources, which have metadata. */
  readonly isObject: boolean;
  readonly insideMeta: boolean;
}

function validateNode(schema: JsonSchema, { path, isObject, insideMeta }: NodeAt, errors: FieldError[]): void {
  const { default: value, properties = {} } = schema;
  if (value !== undefined && value !== null) {
    const at = `${path}.default`;
    if (!insideMeta && hasUnknownFields(value, schema)) {
      errors.push(invalidValue(at, internalForm(json, value), 'must not have unknown fields'));
    }
    errors.push(...validateCustomValue(schema, sortedValue(value), { path: at }));
  }
  const items = itemSchema(schema);
  if (items !== undefined) {
    validateNode(items, { path: `${path}.items`, isObject: isEmbedded(items), insideMeta }, errors);
  }
  for (const [name, property] of Object.entries(properties)) {
    const inMeta = insideMeta || (isObject && objectFieldNames.has(name));
    const at = { path: `${path}.properties[${name}]`, isObject: isEmbedded(property), insideMeta: inMeta };
    validateNode(property, at, errors);
  }
}

/** Whether pruning would remove a field. */
function hasUnknownFields(value: unknown, schema: JsonSchema | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    const items = schema === undefined ? undefined : itemSchema(schema);
    return value.some((item) => hasUnknownFields(item, items));
  }
  return Object.entries(value).some(([name, inner]) => {
    if (schema === undefined) return true;
    if (isEmbedded(schema) && objectFieldNames.has(name)) return false;
    const { properties = {}, additionalProperties } = schema;
    if (Object.hasOwn(properties, name)) return hasUnknownFields(inner, properties[name]);
    if (additionalProperties !== undefined) return hasUnknownFields(inner, schemaOf(additionalProperties));
    return !preservesUnknown(schema);
  });
}
