import { recordExactTime } from '../exact-time.ts';
import { recordExplicitEmpty } from '../explicit-empty.ts';
import type { Field, Schema, StructSchema } from '../model.ts';
import { type AbsentField, absentField } from './absent-field.ts';
import { setEntry } from './containers.ts';
import type { Normalizer, Pass } from './pass.ts';

/** Kinds whose zero value is not the same as absent: the Go type is a struct or arbitrary JSON. */
const zeroIsValue: ReadonlySet<string> = new Set(['quantity', 'intOrString', 'rawExtension', 'fieldsV1', 'json']);

interface FieldPlanOptions {
  readonly owner: StructSchema;
  readonly normalize: Normalizer;
  /** Overrides the behaviour that follows from the options of the field. */
  readonly absent?: AbsentField;
}

/** Copies one field from the source to the result. */
export class FieldPlan {
  readonly name: string;
  readonly schema: Schema;
  readonly normalize: Normalizer;
  readonly #keepsZero: boolean;
  readonly #isContainer: boolean;
  readonly #isTime: boolean;
  /** Whether the field is a pointer to a time: the zero time is written as null, which differs from an absent field. */
  readonly #keepsNull: boolean;
  readonly #default: unknown;
  readonly #absent: AbsentField;
  readonly #required: boolean;
  readonly #reservesPosition: boolean;
  readonly #keepsEmptyForErrors: boolean;
  readonly #enumValues: ReadonlySet<unknown> | undefined;
  /**
   * Whether `Object.prototype` has a property of this name, so that reading it does not show whether the source has the
   * field.
   */
  readonly #inherited: boolean;

  constructor(field: Field, { owner, normalize, absent }: FieldPlanOptions) {
    const { name, schema } = field;
    this.name = name;
    this.schema = schema;
    this.normalize = normalize;
    this.#keepsZero = field.pointer === true || (schema.type === 'scalar' && zeroIsValue.has(schema.kind));
    this.#isContainer = schema.type === 'list' || schema.type === 'map';
    this.#isTime = schema.type === 'scalar' && schema.kind === 'time';
    this.#keepsNull = field.pointer === true && schema.type === 'scalar' && /^(?:t|microT)ime$/.test(schema.kind);
    this.#default = field.default;
    this.#absent = absent ?? absentField(owner, field);
    this.#required = field.required === true;
    this.#reservesPosition = field.defaulted === true;
    this.#keepsEmptyForErrors = field.keepsEmptyForErrors === true;
    this.#enumValues = field.enum && new Set(field.enum);
    this.#inherited = name in Object.prototype;
  }

  /** Whether the field must be visited even if the source does not have it. */
  get needsVisit(): boolean {
    return this.#required || this.#reservesPosition || this.#default !== undefined || this.#absent.writes !== 'nothing';
  }

  copy(source: Record<string, unknown>, result: Record<string, unknown>, pass: Pass): void {
    const { name } = this;
    const value = this.#inherited && !Object.hasOwn(source, name) ? undefined : source[name];
    if (value === undefined || value === null) {
      this.omit(result, pass);
      return;
    }
    const normalized = this.normalize(value, pass);
    if (this.#isTime && normalized !== null && normalized !== value) recordExactTime(result, name, value as string);
    this.write(normalized, result, pass);
  }

  /** Writes the canonical form of a value that the source has. */
  write(normalized: unknown, result: Record<string, unknown>, pass: Pass): void {
    const { name } = this;
    if (normalized !== null && (this.#keepsZero || (normalized !== '' && normalized !== 0 && normalized !== false))) {
      if (this.#enumValues !== undefined && !isInEnum(this.#enumValues, normalized)) pass.needsSchemaCheck = true;
      setEntry(result, name, normalized);
      return;
    }
    if (this.#keepsNull && normalized === null) {
      setEntry(result, name, null);
      return;
    }
    if (this.#keepsEmptyForErrors) {
      setEntry(result, name, []);
      return;
    }
    if (normalized === null && this.#isContainer) {
      recordExplicitEmpty(result, name);
      pass.explicitEmpty = true;
    }
    this.omit(result, pass);
  }

  /** Writes the replacement of the field when the source does not have it. */
  omit(result: Record<string, unknown>, pass: Pass): void {
    const { name } = this;
    if (this.#default !== undefined && pass.defaults) {
      setEntry(result, name, fresh(this.#default));
      return;
    }
    if (this.#required) pass.needsSchemaCheck = true;
    if (this.#absent.writes === 'constant') {
      setEntry(result, name, this.#absent.value);
    } else if (this.#absent.writes === 'emptyStruct') {
      setEntry(result, name, this.normalize({}, pass));
    } else if (this.#reservesPosition) {
      setEntry(result, name, undefined);
    }
  }
}

function isInEnum(values: ReadonlySet<unknown>, value: unknown): boolean {
  return Array.isArray(value) ? value.every((element) => values.has(element)) : values.has(value);
}

/** Clones a default, because the receiver of an object may modify it. */
function fresh(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}
