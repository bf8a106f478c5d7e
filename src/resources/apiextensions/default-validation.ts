import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { json } from '../../schema/builders.ts';
import { evaluateRules, RuleBudget } from '../../schema/rules/index.ts';
import { maxErrors } from '../../schema/structural/error-limit.ts';
import { validateCustomValue } from '../../schema/structural/index.ts';
import {
  isEmbedded,
  isScalar,
  itemSchema,
  type JsonSchema,
  objectFieldNames,
  preservesUnknown,
  schemaOf,
} from '../../schema/structural/json-schema.ts';
import { sortedValue } from '../../schema/structural/sorted-value.ts';
import { isSpent, type ValidationWork } from '../../schema/structural/validation-run.ts';
import { internalValue } from '../validation/internal-value.ts';

/** Checks the defaults of a structural schema against it. Defaults cannot occur under `additionalProperties`. */
export function* validateDefaults(schema: JsonSchema, path: string): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const limits = { budget: new RuleBudget(), work: { units: 0 } };
  const found: Default[] = [];
  collectDefaults({ schema, path, isRoot: true, isObject: true, insideMeta: false }, found);
  for (const place of found) {
    yield* validateDefault(place, limits, errors);
    if (isSpent(limits.work) || errors.length >= maxErrors) break;
    if (isTurnOver()) yield;
  }
  return errors;
}

/** A schema that has a default. */
interface Default {
  readonly schema: JsonSchema;
  readonly path: string;
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
}

interface NodeAt extends Default {
  /** True for the root and for embedded resources, which have metadata. */
  readonly isObject: boolean;
}

interface Limits {
  /** The budget for the rules of all defaults. */
  readonly budget: RuleBudget;
  /** The work of the validation of all defaults. */
  readonly work: ValidationWork;
}

function collectDefaults(at: NodeAt, found: Default[]): void {
  const { schema, path, isObject, insideMeta } = at;
  const { default: value, properties } = schema;
  if (value !== undefined && value !== null) found.push(at);
  const items = itemSchema(schema);
  if (items !== undefined) {
    const place = { path: `${path}.items`, isRoot: false, isObject: isEmbedded(items), insideMeta };
    collectDefaults({ schema: items, ...place }, found);
  }
  for (const name in properties) {
    const property = properties[name]!;
    if (property.default === undefined && isScalar(property)) continue;
    collectDefaults(
      {
        schema: property,
        path: `${path}.properties[${name}]`,
        isRoot: false,
        isObject: isEmbedded(property),
        insideMeta: insideMeta || (isObject && objectFieldNames.has(name)),
      },
      found,
    );
  }
}

function* validateDefault(
  { schema, path, isRoot, insideMeta }: Default,
  { budget, work }: Limits,
  errors: FieldError[],
): Steps<void> {
  const { default: value } = schema;
  const at = `${path}.default`;
  if (!insideMeta && hasUnknownFields(value, schema)) {
    errors.push(invalidValue(at, internalValue(json, value), 'must not have unknown fields'));
  }
  const found = yield* validateCustomValue(schema, sortedValue(value), { path: at, work });
  errors.push(...found);
  if (found.length > 0 || budget.isSpent || isScalar(schema)) return;
  errors.push(...(yield* evaluateRules(schema, value, { oldValue: value, path: at, isRoot, budget })).errors);
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
