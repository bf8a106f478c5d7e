import { invalidValue, requiredValue, tooMany } from '../../meta/field-error.ts';
import type { Steps } from '../../meta/turns.ts';
import { isObject } from '../normalize/type-mismatch.ts';
import { checkNumber, constrainsNumbers, type NumberSchema } from './check-number.ts';
import { oldField, oldItems, sameValue } from './correlation.ts';
import { EnumCheck } from './enum-check.ts';
import { itemSchema, type JsonSchema, objectFieldNames, schemaOf } from './json-schema.ts';
import { checkJunctors, type Junctors } from './junctor-check.ts';
import { StringCheck } from './string-check.ts';
import { TypeCheck } from './type-check.ts';
import { uncorrelated, type ValidationRun, type ValueCheck } from './validation-run.ts';

const compiled = new WeakMap<JsonSchema, SchemaCheck>();

/** Compiles a schema. Its parts are compiled when the first value reaches them. */
export function schemaCheck(schema: JsonSchema): SchemaCheck {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = new SchemaCheck(schema);
    compiled.set(schema, check);
  }
  return check;
}

/**
 * A compiled schema. Makes its checks in the order of Kubernetes: type, alternatives, string, number, list, enum,
 * object. Numbers of matches are counted as there, too, because they decide which alternative is reported.
 */
class SchemaCheck implements ValueCheck {
  readonly #schema: JsonSchema;
  readonly #type: TypeCheck;
  readonly #string: StringCheck;
  readonly #number: NumberSchema | undefined;
  readonly #enum: EnumCheck | undefined;
  /** The properties for which values were found so far. */
  readonly #checks = new Map<string, SchemaCheck>();
  readonly #properties: Readonly<Record<string, JsonSchema>>;
  readonly #additional: JsonSchema | undefined;
  readonly #items: JsonSchema | undefined;
  readonly #junctors: Junctors | undefined;

  constructor(schema: JsonSchema) {
    this.#schema = schema;
    this.#type = new TypeCheck(schema);
    this.#string = new StringCheck(schema);
    const { types, format } = this.#type;
    this.#number = numberSchema(schema, { type: types[0] ?? '', format });
    this.#enum = schema.enum?.length ? new EnumCheck(schema.enum) : undefined;
    this.#properties = schema.properties ?? {};
    this.#additional = schemaOf(schema.additionalProperties);
    this.#items = itemSchema(schema);
    this.#junctors = junctorsOf(schema);
  }

  check(value: unknown, old: unknown, run: ValidationRun): number {
    run.spend(1);
    const before = { count: run.count, errors: run.errors.length };
    let matches = value === null ? this.#type.check(null, run) : this.#checkAny(value, run);
    if (Array.isArray(value)) matches += 2 + this.#checkItems(value, old, run);
    this.#enum?.check(value, run);
    if (isObject(value)) matches += 1 + this.#checkFields(value, old, run);
    this.#tolerate(value, old, { run, before });
    return matches;
  }

  *checkSteps(value: unknown, old: unknown, run: ValidationRun): Steps<number> {
    if (!Array.isArray(value) && !isObject(value)) return this.check(value, old, run);
    run.spend(1);
    const before = { count: run.count, errors: run.errors.length };
    let matches = this.#checkAny(value, run);
    if (Array.isArray(value)) matches += 2 + (yield* this.#checkItemsSteps(value, old, run));
    this.#enum?.check(value, run);
    if (isObject(value)) matches += 1 + (yield* this.#checkFieldsSteps(value, old, run));
    this.#tolerate(value, old, { run, before });
    return matches;
  }

  /** Errors in a value that an update does not change are tolerated. */
  #tolerate(value: unknown, old: unknown, { run, before }: Found): void {
    if (run.count === before.count || old === uncorrelated || !sameValue(value, old, this.#schema)) return;
    run.count = before.count;
    run.errors.length = before.errors;
  }

  /** Checks everything except the contents of the value and its enum. */
  #checkAny(value: unknown, run: ValidationRun): number {
    // Checks without a separate result count as well.
    let matches = 3;
    if (this.#type.applies) matches += 1 + this.#type.check(value, run);
    matches += this.#junctors === undefined ? 1 : checkJunctors(this.#junctors, value, run);
    if (typeof value === 'string') matches += this.#string.check(value, run);
    else if (typeof value === 'number' || typeof value === 'bigint') {
      matches += 2;
      if (this.#number !== undefined) checkNumber(value, this.#number, run);
    }
    return matches;
  }

  #checkItems(value: readonly unknown[], old: unknown, run: ValidationRun): number {
    let matches = 0;
    const items = this.#items === undefined ? undefined : schemaCheck(this.#items);
    const find = old === uncorrelated ? undefined : oldItems(this.#schema, old);
    for (let index = 0; items !== undefined && index < value.length; index++) {
      run.push(index);
      matches += items.check(value[index], find === undefined ? uncorrelated : find(value[index]), run);
      run.pop();
    }
    this.#checkLength(value.length, run);
    return matches;
  }

  *#checkItemsSteps(value: readonly unknown[], old: unknown, run: ValidationRun): Steps<number> {
    let matches = 0;
    const items = this.#items === undefined ? undefined : schemaCheck(this.#items);
    const find = old === uncorrelated ? undefined : oldItems(this.#schema, old);
    for (let index = 0; items !== undefined && index < value.length; index++) {
      run.push(index);
      matches += yield* items.checkSteps(value[index], find === undefined ? uncorrelated : find(value[index]), run);
      run.pop();
      if (run.isTurnOver()) yield;
    }
    this.#checkLength(value.length, run);
    return matches;
  }

  #checkFields(value: Fields, old: unknown, run: ValidationRun): number {
    const names = Object.keys(value);
    if (!this.#checkSize(names.length, run)) return 0;
    let matches = 0;
    const isOfRoot = run.isRoot;
    for (const name of names) {
      const check = this.#enterField(name, { isOfRoot, run });
      if (check === undefined) continue;
      matches += check.check(value[name], oldFieldOf(old, name, { isOfRoot }), run);
      run.pop();
    }
    this.#checkRequired(value, run);
    return matches;
  }

  *#checkFieldsSteps(value: Fields, old: unknown, run: ValidationRun): Steps<number> {
    const names = Object.keys(value);
    if (!this.#checkSize(names.length, run)) return 0;
    let matches = 0;
    const isOfRoot = run.isRoot;
    for (const name of names) {
      const check = this.#enterField(name, { isOfRoot, run });
      if (check === undefined) continue;
      matches += yield* check.checkSteps(value[name], oldFieldOf(old, name, { isOfRoot }), run);
      run.pop();
      if (run.isTurnOver()) yield;
    }
    this.#checkRequired(value, run);
    return matches;
  }

  /** Makes a field the current value. Returns its check, or undefined when the schema does not describe it. */
  #enterField(name: string, { isOfRoot, run }: { isOfRoot: boolean; run: ValidationRun }): SchemaCheck | undefined {
    const own = this.#checks.get(name) ?? this.#propertyCheck(name);
    if (own === undefined && this.#additional === undefined) return undefined;
    run.push(own === undefined && isOfRoot ? `.${name}` : name);
    return own ?? schemaCheck(this.#additional!);
  }

  #checkLength(length: number, run: ValidationRun): void {
    const { minItems, maxItems } = this.#schema;
    if (minItems !== undefined && length < minItems) {
      run.add(() => invalidValue(run.field, length, `${run.name} in body should have at least ${minItems} items`));
    }
    if (maxItems !== undefined && length > maxItems) run.add(() => tooMany(run.field, length, maxItems));
  }

  #checkRequired(value: Fields, run: ValidationRun): void {
    const { required = [] } = this.#schema;
    run.spend(required.length / 4);
    for (const name of required) {
      if (!Object.hasOwn(value, name) && !this.#hasDefault(name)) this.#addMissing(name, run);
    }
  }

  #propertyCheck(name: string): SchemaCheck | undefined {
    if (!Object.hasOwn(this.#properties, name)) return undefined;
    const check = schemaCheck(this.#properties[name]!);
    this.#checks.set(name, check);
    return check;
  }

  #hasDefault(name: string): boolean {
    return Object.hasOwn(this.#properties, name) && (this.#properties[name]?.default ?? undefined) !== undefined;
  }

  #addMissing(name: string, run: ValidationRun): void {
    run.spend(1);
    run.push(name);
    run.add(() => requiredValue(run.field));
    run.pop();
  }

  #checkSize(size: number, run: ValidationRun): boolean {
    const { minProperties, maxProperties } = this.#schema;
    if (minProperties !== undefined && size < minProperties) {
      run.add(() =>
        invalidValue(run.field, size, `${run.name} in body should have at least ${minProperties} properties`),
      );
      return false;
    }
    if (maxProperties !== undefined && size > maxProperties) {
      run.add(() => tooMany(run.field, size, maxProperties));
      return false;
    }
    return true;
  }
}

interface Found {
  readonly run: ValidationRun;
  /** The numbers of checks and errors before the value. */
  readonly before: { readonly count: number; readonly errors: number };
}

type Fields = Readonly<Record<string, unknown>>;

function oldFieldOf(old: unknown, name: string, { isOfRoot }: { isOfRoot: boolean }): unknown {
  return old === uncorrelated || (isOfRoot && objectFieldNames.has(name)) ? uncorrelated : oldField(old, name);
}

/** Undefined when the schema does not constrain numbers. */
function numberSchema(
  schema: JsonSchema,
  { type, format }: { type: string; format: string },
): NumberSchema | undefined {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const bounds = { multipleOf: float(multipleOf), minimum: float(minimum), maximum: float(maximum) };
  const number = { type, format, ...bounds, exclusiveMinimum, exclusiveMaximum };
  return constrainsNumbers(number) ? number : undefined;
}

/** Bounds are floating point numbers, but large ones that were read from storage are bigints. */
const float = (bound: number | undefined): number | undefined => (bound === undefined ? undefined : Number(bound));

function junctorsOf({ anyOf = [], oneOf = [], allOf = [], not }: JsonSchema): Junctors | undefined {
  if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return undefined;
  return {
    anyOf: anyOf.map(schemaCheck),
    oneOf: oneOf.map(schemaCheck),
    allOf: allOf.map(schemaCheck),
    not: not && schemaCheck(not),
  };
}
