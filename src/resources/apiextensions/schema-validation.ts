import { type FieldError, forbiddenValue, invalidValue, notSupportedValue, tooMany } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { RuleCosts, type SchemaWithRules, validateExpressions } from '../../schema/rules/index.ts';
import { ErrorLimit, maxErrors } from '../../schema/structural/error-limit.ts';
import { isScalar, type JsonSchema, schemaOf, type ValidationRule } from '../../schema/structural/json-schema.ts';
import { internalForm } from '../validation/internal-form.ts';
import { validateDefaults } from './default-validation.ts';
import { ValidationRule as ValidationRuleSchema } from './json-schema-types.ts';
import { validateListAndMapTypes } from './list-type-validation.ts';
import { rootErrors, unsupportedKeyword } from './root-schema-validation.ts';
import { validateStructural } from './structural-validation.ts';
import { validateRules } from './validation-rule-validation.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** Far above practical needs. Kubernetes has no limit, but compiles outside of the loop that serves all requests. */
const maxRules = 10_000;
const objectFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

interface Collected {
  readonly errors: FieldError[];
  /** The schemas with rules whose expressions can be checked, because nothing in them has errors. */
  readonly withRules: SchemaWithRules[];
}

interface SchemaAt {
  readonly path: string;
  readonly isRoot?: boolean;
  readonly insideMeta?: boolean;
  /** The error message when a default is not allowed here. */
  readonly noDefault?: string | undefined;
  readonly cardinality: number | undefined;
  readonly uncorrelatable?: string | undefined;
}

export interface SchemaOptions {
  /** Whether there is a `status` subresource. */
  readonly hasStatus: boolean;
  /** Whether the stored definition has the same schema. */
  readonly isUnchanged?: boolean;
}

/** Validates the schema of one version or of all versions. */
export function* validateSchema(schema: JsonSchema, path: string, options: SchemaOptions): Steps<FieldError[]> {
  const { hasStatus, isUnchanged = false } = options;
  const errors = hasStatus ? rootErrors(schema, path) : [];
  if (schema.nullable === true) errors.push(forbiddenValue(`${path}.nullable`, 'nullable cannot be true at the root'));
  const unsupported = unsupportedKeyword(schema);
  let structural: FieldError[] = [];
  if (unsupported === undefined) {
    structural = validateStructural(schema, path);
    if (isTurnOver()) yield;
    if (structural.length === 0) structural = yield* validateDefaults(schema, path);
  }
  errors.push(...structural);
  const collected: Collected = { errors: [], withRules: [] };
  if (isTurnOver()) yield;
  validateNode(schema, { path, isRoot: true, cardinality: 1 }, collected);
  errors.push(...collected.errors);
  if (structural.length === 0 && unsupported === undefined) {
    if (isTurnOver()) yield;
    errors.push(...(yield* expressionErrors(collected.withRules, { path, isUnchanged })));
  }
  if (errors.length === 0 && unsupported !== undefined) {
    errors.push(invalidValue(path, '', `OpenAPI '${unsupported}' is not supported`));
  }
  return errors;
}

function* expressionErrors(
  schemas: readonly SchemaWithRules[],
  { path, isUnchanged }: { readonly path: string; readonly isUnchanged: boolean },
): Steps<FieldError[]> {
  const count = schemas.reduce((sum, { schema }) => sum + (schema['x-kubernetes-validations']?.length ?? 0), 0);
  if (count > maxRules) return [tooMany(`${path}.x-kubernetes-validations`, count, maxRules)];
  const costs = new RuleCosts();
  const shown = (rule: ValidationRule): unknown => internalForm(ValidationRuleSchema, rule);
  const options = { costs, shown, toleratesCosts: isUnchanged, limit: new ErrorLimit() };
  const errors: FieldError[] = [];
  for (const schema of schemas) errors.push(...(yield* validateExpressions(schema, options)));
  return [...errors, ...costs.totalErrors(path)];
}

function validateNode(schema: JsonSchema, at: SchemaAt, collected: Collected): void {
  const before = collected.errors.length;
  if (before >= maxErrors) return;
  const { path, isRoot = false, insideMeta = false } = at;
  const { errors } = collected;
  validateKeywords(schema, at, errors);
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenValue(`${path}.uniqueItems`, detail));
  }
  const values = valuesAt(schema, at);
  const inside = { ...at, ...values };
  validateAdditionalProperties(schema, inside, collected);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = (isRoot || schema['x-kubernetes-embedded-resource'] === true) && objectFields.has(name);
    const noDefault = isMeta && isRoot ? `in top-level ${name}` : at.noDefault;
    if ((property.default === undefined || noDefault === undefined) && isScalar(property)) continue;
    const inner = { path: `${path}.properties[${name}]`, insideMeta: insideMeta || isMeta, noDefault, ...values };
    validateNode(property, inner, collected);
  }
  const beforeInner = errors.length;
  validateInner(schema, inside, collected);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const keyword = `${path}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalidValue(keyword, false, 'must be true or undefined'));
  }
  // Otherwise each of many nested schemas could show all those inside.
  validateListAndMapTypes(schema, { path, showsItems: errors.length === beforeInner }, errors);
  validateRules(schema, path, errors);
  if (errors.length > before || !schema['x-kubernetes-validations']?.length) return;
  const { cardinality, uncorrelatable } = at;
  collected.withRules.push({ schema, path, isRoot, cardinality, uncorrelatable });
}

/** How often the values inside a schema occur, and where they are out of reach for comparisons with old values. */
function valuesAt(schema: JsonSchema, at: SchemaAt): Pick<SchemaAt, 'cardinality' | 'uncorrelatable'> {
  let factor: number | undefined = 1;
  let { uncorrelatable } = at;
  if (schema.type === 'array') {
    factor = schema.maxItems;
    if (schema['x-kubernetes-list-type'] !== 'map') uncorrelatable ??= at.path;
  } else if (schema.type === 'object' && schema.additionalProperties !== undefined) factor = schema.maxProperties;
  const { cardinality } = at;
  if (cardinality === undefined || factor === undefined) return { cardinality: undefined, uncorrelatable };
  return { cardinality: cardinality * Math.max(Number(factor), 0), uncorrelatable };
}

/** `at` is the place of the schema, with `valuesAt` of what is inside. */
function validateAdditionalProperties(schema: JsonSchema, at: SchemaAt, collected: Collected): void {
  const { additionalProperties: values, properties = {} } = schema;
  if (values === undefined) return;
  const path = `${at.path}.additionalProperties`;
  if (Object.keys(properties).length > 0 && values !== true) {
    collected.errors.push(forbiddenValue(path, 'additionalProperties and properties are mutual exclusive'));
  }
  const inner = schemaOf(values);
  if (inner === undefined) return;
  const noDefault = at.insideMeta ? 'inside additionalProperties applying to object metadata' : at.noDefault;
  const { insideMeta = false, cardinality, uncorrelatable } = at;
  validateNode(inner, { path, insideMeta, noDefault, cardinality, uncorrelatable }, collected);
}

/**
 * Validates the schemas under logical junctors, of items, and under unsupported keywords. `at` is the place of the
 * schema, with `valuesAt` of what is inside.
 */
function validateInner(schema: JsonSchema, at: SchemaAt, collected: Collected): void {
  const { insideMeta = false, noDefault, cardinality, uncorrelatable } = at;
  const inner = { insideMeta, noDefault, cardinality, uncorrelatable };
  // CEL rules nested in these keywords are not rules of the schema.
  const withoutRules: Collected = { errors: collected.errors, withRules: [] };
  if (schema.not !== undefined) validateNode(schema.not, { ...inner, path: `${at.path}.not` }, withoutRules);
  for (const junctor of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, nested] of (schema[junctor] ?? []).entries()) {
      validateNode(nested, { ...inner, path: `${at.path}.${junctor}[${index}]` }, withoutRules);
    }
  }
  for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
    validateNode(definition, { ...inner, path: `${at.path}.definitions[${name}]` }, withoutRules);
  }
  const { items } = schema;
  if (Array.isArray(items)) {
    for (const [index, item] of (items as readonly JsonSchema[]).entries()) {
      validateNode(item, { ...inner, path: `${at.path}.items[${index}]` }, collected);
    }
  } else if (items !== undefined) validateNode(items as JsonSchema, { ...inner, path: `${at.path}.items` }, collected);
  for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
    const nested = schemaOf(dependency);
    if (nested !== undefined)
      validateNode(nested, { ...inner, path: `${at.path}.dependencies[${name}]` }, withoutRules);
  }
}

function validateKeywords(schema: JsonSchema, { path, insideMeta = false, noDefault }: SchemaAt, errors: FieldError[]) {
  const { type = '' } = schema;
  const notSupported = (keyword: string) =>
    errors.push(forbiddenValue(`${path}.${keyword}`, `${keyword} is not supported`));
  if (type !== '' && !types.includes(type)) errors.push(notSupportedValue(`${path}.type`, type, types));
  if (schema.default !== undefined && noDefault !== undefined) {
    errors.push(forbiddenValue(`${path}.default`, `must not be set ${noDefault}`));
  }
  if (schema.id !== undefined) notSupported('id');
  if (schema.additionalItems !== undefined) notSupported('additionalItems');
  if (schema.patternProperties !== undefined) notSupported('patternProperties');
  if (schema.definitions !== undefined) notSupported('definitions');
  if (schema.dependencies !== undefined) notSupported('dependencies');
  if (schema.$ref !== undefined) notSupported('$ref');
  if (type === 'null') {
    errors.push(forbiddenValue(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbiddenValue(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const keyword = `${path}.x-kubernetes-embedded-resource`;
    errors.push(forbiddenValue(keyword, 'must not be used inside of resource meta'));
  }
}
