import { isDeepStrictEqual } from 'node:util';
import {
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
  tooMany,
  typeInvalidValue,
} from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { json } from '../../schema/builders.ts';
import { itemSchema, type JsonSchema, schemaOf } from '../../schema/structural/json-schema.ts';
import { internalForm } from '../validation/internal-form.ts';
import { checkNumber, checkString } from './scalar-value-validation.ts';
import { type Check, pathOf, type ValueAt, valueError } from './value-error.ts';

/** Returns all violations of the schema. `field` is the path of the root value. */
export function validateValue(value: unknown, schema: JsonSchema, field: string): FieldError[] {
  const errors: FieldError[] = [];
  check(value, schema, { at: { field, name: '' }, errors });
  return errors;
}

function check(value: unknown, schema: JsonSchema, { at, errors }: Check): void {
  if (value === null && schema.nullable === true) return;
  if (!hasType(value, schema)) {
    const type = typeName(value);
    const wanted = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : schema.type;
    const text = `${at.name} in body must be of type ${wanted}: ${goQuote(type)}`;
    errors.push(typeInvalidValue(pathOf(at), type, text));
    return;
  }
  checkJunctors(value, schema, { at, errors });
  if (typeof value === 'string') checkString(value, schema, { at, errors });
  if (typeof value === 'number' || typeof value === 'bigint') checkNumber(Number(value), schema, { at, errors });
  if (Array.isArray(value)) checkList(value, schema, { at, errors });
  if (schema.enum !== undefined && !schema.enum.some((allowed) => isDeepStrictEqual(allowed, value))) {
    const supported = schema.enum.map((allowed) =>
      typeof allowed === 'string' ? allowed : JSON.stringify(internalForm(json, allowed)),
    );
    errors.push(notSupportedValue(pathOf(at), internalForm(json, value), supported));
  }
  if (isObject(value)) checkObject(value, schema, { at, errors });
}

function hasType(value: unknown, schema: JsonSchema): boolean {
  const { type = '' } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'string' || typeName(value) === 'integer';
  if (type === '') return true;
  const actual = typeName(value);
  return actual === type || (type === 'number' && actual === 'integer');
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' || typeof value === 'bigint')
    return Number.isInteger(Number(value)) ? 'integer' : 'number';
  return typeof value;
}

function checkList(value: readonly unknown[], schema: JsonSchema, { at, errors }: Check): void {
  const items = itemSchema(schema);
  if (items !== undefined) {
    for (const [index, item] of value.entries()) {
      check(item, items, { at: { ...at, name: `${at.name}[${index}]` }, errors });
    }
  }
  const { maxItems, minItems } = schema;
  if (minItems !== undefined && value.length < minItems) {
    errors.push(valueError(value.length, { at, text: `should have at least ${minItems} items` }));
  }
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(pathOf(at), value.length, maxItems));
}

function checkObject(value: Readonly<Record<string, unknown>>, schema: JsonSchema, { at, errors }: Check): void {
  const names = Object.keys(value).sort();
  const { maxProperties, minProperties, properties = {} } = schema;
  if (minProperties !== undefined && names.length < minProperties) {
    errors.push(valueError(names.length, { at, text: `should have at least ${minProperties} properties` }));
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    errors.push(tooMany(pathOf(at), names.length, maxProperties));
  }
  const inside = (name: string): ValueAt => ({ ...at, name: at.name === '' ? name : `${at.name}.${name}` });
  const others = schemaOf(schema.additionalProperties);
  for (const name of names) {
    const property = Object.hasOwn(properties, name) ? properties[name] : others;
    if (property !== undefined) check(value[name], property, { at: inside(name), errors });
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) errors.push(requiredValue(pathOf(inside(name))));
  }
}

function checkJunctors(value: unknown, schema: JsonSchema, { at, errors }: Check): void {
  const errorsOf = (inner: JsonSchema): FieldError[] => {
    const found: FieldError[] = [];
    check(value, inner, { at, errors: found });
    return found;
  };
  const fail = (text: string) => errors.push(invalidValue(pathOf(at), '', `${goQuote(at.name)} must ${text}`));
  const { anyOf, oneOf, allOf, not } = schema;
  if (anyOf?.length && !anyOf.some((inner) => errorsOf(inner).length === 0)) {
    fail('validate at least one schema (anyOf)');
    errors.push(...errorsOf(anyOf[0]!));
  }
  if (oneOf?.length) {
    const valid = oneOf.filter((inner) => errorsOf(inner).length === 0).length;
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    if (valid !== 1) fail(`validate one and only one schema (oneOf). ${found}`);
    if (valid === 0) errors.push(...errorsOf(oneOf[0]!));
  }
  const failed = (allOf ?? []).flatMap(errorsOf);
  if (failed.length > 0) {
    fail('validate all the schemas (allOf)');
    errors.push(...failed);
  }
  if (not !== undefined && errorsOf(not).length === 0) fail('not validate the schema (not)');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
