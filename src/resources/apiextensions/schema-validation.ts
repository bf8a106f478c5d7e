import { type FieldError, forbiddenValue, invalidValue, notSupportedValue, tooMany } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { RuleCosts, type SchemaWithRules, validateExpressions } from '../../schema/rules/index.ts';
import { ErrorLimit, maxErrors } from '../../schema/structural/error-limit.ts';
import { isScalar, type JsonSchema, schemaOf, type ValidationRule } from '../../schema/structural/json-schema.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateDefaults } from './default-validation.ts';
import { ValidationRule as ValidationRuleSchema } from './json-schema-types.ts';
import { validateListAndMapTypes } from './list-type-validation.ts';
import { rootErrors, unsupportedKeyword } from './root-schema-validation.ts';
import { validateStructural } from './structural-validation.ts';
import { validateRules } from './validation-rule-validation.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** Far above practical needs. Kubernetes has no limit, but it compiles rules concurrently with other requests. */
const maxRules = 10_000;
const objectFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

interface Collected {
  readonly errors: FieldError[];
  /** The schemas with rules whose expressions can be checked, because nothing in them has errors. */
  readonly withRules: SchemaWithRules[];
  /** Whether a schema has `$schema`, the only keyword without an error that structural schemas do not support. */
  hasDialect?: boolean;
}

interface SchemaAt {
  readonly path: string;
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  /** The error message when a default is not allowed here. */
  readonly noDefault: string | undefined;
  /** The maximum number of values of this schema in one object. */
  readonly cardinality: number | undefined;
  /** The list whose items cannot be found again in old values. */
  readonly uncorrelatable: string | undefined;
}

const rootPlace = {
  isRoot: true,
  insideMeta: false,
  noDefault: undefined,
  cardinality: 1,
  uncorrelatable: undefined,
};

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
  const collected: Collected = { errors: [], withRules: [] };
  validateNode(schema, { path, ...rootPlace }, collected);
  if (isTurnOver()) yield;
  // Most schemas have neither errors nor a dialect, and the search for keywords visits all nested schemas.
  const mayBeUnsupported = collected.errors.length > 0 || collected.hasDialect;
  const unsupported = mayBeUnsupported ? unsupportedKeyword(schema) : undefined;
  let structural: FieldError[] = [];
  if (unsupported === undefined) {
    structural = validateStructural(schema, path);
    if (isTurnOver()) yield;
    if (structural.length === 0) structural = yield* validateDefaults(schema, path);
  }
  errors.push(...structural, ...collected.errors);
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
  const shown = (rule: ValidationRule): unknown => internalValue(ValidationRuleSchema, rule);
  const options = { costs, shown, toleratesCosts: isUnchanged, limit: new ErrorLimit() };
  const errors: FieldError[] = [];
  for (const schema of schemas) errors.push(...(yield* validateExpressions(schema, options)));
  return [...errors, ...costs.totalErrors(path)];
}

function validateNode(schema: JsonSchema, at: SchemaAt, collected: Collected): void {
  const { errors } = collected;
  const before = errors.length;
  if (before >= maxErrors) return;
  const { path } = at;
  validateKeywords(schema, at, errors);
  if (schema.$schema !== undefined) collected.hasDialect = true;
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenValue(`${path}.uniqueItems`, detail));
  }
  const inside = insideOf(schema, at);
  validateAdditionalProperties(schema, inside, collected);
  if (schema.properties !== undefined) validateProperties(schema, { at, inside }, collected);
  const beforeInner = errors.length;
  validateInner(schema, inside, collected);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const keyword = `${path}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalidValue(keyword, false, 'must be true or undefined'));
  }
  // Items are shown only if the nested schemas have no errors. Otherwise each of many nested schemas could show all
  // schemas inside it.
  validateListAndMapTypes(schema, { path, showsItems: errors.length === beforeInner }, errors);
  if (!schema['x-kubernetes-validations']?.length) return;
  validateRules(schema, path, errors);
  if (errors.length > before) return;
  const { isRoot, cardinality, uncorrelatable } = at;
  collected.withRules.push({ schema, path, isRoot, cardinality, uncorrelatable });
}

/**
 * Returns the context of the nested schemas: how often their values occur, and whether they can be compared with old
 * values.
 */
function insideOf(schema: JsonSchema, at: SchemaAt): SchemaAt {
  const isList = schema.type === 'array';
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  // Most schemas are neither lists nor maps, and a definition has many schemas.
  if (!isList && !isMap) return at;
  const factor = isList ? schema.maxItems : schema.maxProperties;
  const unknown = at.cardinality === undefined || factor === undefined;
  return {
    ...at,
    cardinality: unknown ? undefined : at.cardinality * Math.max(Number(factor), 0),
    uncorrelatable: at.uncorrelatable ?? (isList && schema['x-kubernetes-list-type'] !== 'map' ? at.path : undefined),
  };
}

/** Returns the context of a schema nested in another one. */
function nested({ insideMeta, noDefault, cardinality, uncorrelatable }: SchemaAt, path: string): SchemaAt {
  return { path, isRoot: false, insideMeta, noDefault, cardinality, uncorrelatable };
}

function validateProperties(
  schema: JsonSchema,
  { at, inside }: { readonly at: SchemaAt; readonly inside: SchemaAt },
  collected: Collected,
): void {
  const { properties = {} } = schema;
  const isObject = at.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const name in properties) {
    const property = properties[name]!;
    const isMeta = isObject && objectFields.has(name);
    const noDefault = isMeta && at.isRoot ? `in top-level ${name}` : at.noDefault;
    if ((property.default === undefined || noDefault === undefined) && isScalar(property)) continue;
    const place = nested(inside, `${at.path}.properties[${name}]`);
    validateNode(property, isMeta ? { ...place, insideMeta: true, noDefault } : place, collected);
  }
}

/** `at` is the context of the nested schemas. */
function validateAdditionalProperties(schema: JsonSchema, at: SchemaAt, collected: Collected): void {
  const { additionalProperties: values, properties = {} } = schema;
  if (values === undefined) return;
  const path = `${at.path}.additionalProperties`;
  if (Object.keys(properties).length > 0 && values !== true) {
    collected.errors.push(forbiddenValue(path, 'additionalProperties and properties are mutual exclusive'));
  }
  const inner = schemaOf(values);
  if (inner === undefined) return;
  const place = nested(at, path);
  const noDefault = 'inside additionalProperties applying to object metadata';
  validateNode(inner, at.insideMeta ? { ...place, noDefault } : place, collected);
}

const junctors = ['allOf', 'oneOf', 'anyOf'] as const;

/**
 * Validates the schemas under logical junctors, of items, and under unsupported keywords. `at` is the context of the
 * nested schemas.
 */
function validateInner(schema: JsonSchema, at: SchemaAt, collected: Collected): void {
  if (schema.not !== undefined) validateLogical(schema.not, nested(at, `${at.path}.not`), collected);
  for (const junctor of junctors) {
    schema[junctor]?.forEach((inner, index) => {
      validateLogical(inner, nested(at, `${at.path}.${junctor}[${index}]`), collected);
    });
  }
  for (const name in schema.definitions) {
    validateLogical(schema.definitions[name]!, nested(at, `${at.path}.definitions[${name}]`), collected);
  }
  const { items } = schema;
  if (Array.isArray(items)) {
    for (const [index, item] of (items as readonly JsonSchema[]).entries()) {
      validateNode(item, nested(at, `${at.path}.items[${index}]`), collected);
    }
  } else if (items !== undefined) validateNode(items as JsonSchema, nested(at, `${at.path}.items`), collected);
  for (const name in schema.dependencies) {
    const inner = schemaOf(schema.dependencies[name]);
    if (inner !== undefined) validateLogical(inner, nested(at, `${at.path}.dependencies[${name}]`), collected);
  }
}

/** CEL rules of such a schema are not rules of the schema around it. */
function validateLogical(schema: JsonSchema, at: SchemaAt, collected: Collected): void {
  const inner: Collected = { errors: collected.errors, withRules: [] };
  validateNode(schema, at, inner);
  if (inner.hasDialect) collected.hasDialect = true;
}

const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

function validateKeywords(schema: JsonSchema, { path, insideMeta, noDefault }: SchemaAt, errors: FieldError[]): void {
  const { type = '' } = schema;
  if (type !== '' && !types.includes(type)) errors.push(notSupportedValue(`${path}.type`, type, types));
  if (schema.default !== undefined && noDefault !== undefined) {
    errors.push(forbiddenValue(`${path}.default`, `must not be set ${noDefault}`));
  }
  for (const keyword of unsupported) {
    if (schema[keyword] === undefined) continue;
    errors.push(forbiddenValue(`${path}.${keyword}`, `${keyword} is not supported`));
  }
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
