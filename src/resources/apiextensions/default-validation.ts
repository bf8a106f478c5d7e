import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { json } from '../../schema/builders.ts';
import { evaluateRules, RuleBudget } from '../../schema/rules/index.ts';
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
import type { ValidationWork } from '../../schema/structural/validation-run.ts';
import { internalForm } from '../validation/internal-form.ts';

/** Checks the defaults of a structural schema against it. Defaults cannot occur under `additionalProperties`. */
export function validateDefaults(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const budget = new RuleBudget();
  validateNode(schema, { path, isRoot: true, isObject: true, insideMeta: false, budget, work: { units: 0 } }, errors);
  return errors;
}

interface NodeAt {
  readonly path: string;
  readonly isRoot?: boolean;
  /** True for the root and for embedded resources, which have metadata. */
  readonly isObject: boolean;
  readonly insideMeta: boolean;
  /** For the rules of all defaults. */
  readonly budget: RuleBudget;
  /** Of the validation of all defaults. */
  readonly work: ValidationWork;
}

function validateNode(schema: JsonSchema, at: NodeAt, errors: FieldError[]): void {
  const { path, isObject, insideMeta, budget, work } = at;
  const { default: value, properties = {} } = schema;
  if (value !== undefined && value !== null) validateDefault(schema, at, errors);
  const items = itemSchema(schema);
  if (items !== undefined) {
    validateNode(items, { path: `${path}.items`, isObject: isEmbedded(items), insideMeta, budget, work }, errors);
  }
  for (const [name, property] of Object.entries(properties)) {
    const inMeta = insideMeta || (isObject && objectFieldNames.has(name));
    const place = { path: `${path}.properties[${name}]`, isObject: isEmbedded(property), insideMeta: inMeta };
    validateNode(property, { ...place, budget, work }, errors);
  }
}

function validateDefault(
  schema: JsonSchema,
  { path, isRoot = false, insideMeta, budget, work }: NodeAt,
  errors: FieldError[],
) {
  const { default: value } = schema;
  const at = `${path}.default`;
  if (!insideMeta && hasUnknownFields(value, schema)) {
    errors.push(invalidValue(at, internalForm(json, value), 'must not have unknown fields'));
  }
  const found = validateCustomValue(schema, sortedValue(value), { path: at, work });
  errors.push(...found);
  if (found.length > 0 || budget.isSpent) return;
  errors.push(...evaluateRules(schema, value, { oldValue: value, path: at, isRoot, budget }).errors);
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
