import { isObject } from '../normalize/type-mismatch.ts';
import { sameValue } from '../structural/correlation.ts';
import { itemSchema, type JsonSchema, schemaOf } from '../structural/json-schema.ts';
import { uncorrelated } from '../structural/validation-run.ts';

/** A value of an updated object. Failing rules of a value that the update does not change are tolerated. */
export class Ratchet {
  readonly #value: unknown;
  readonly #old: unknown;
  readonly #schema: JsonSchema;
  /** The nearest enclosing value that has an old value. Undefined for the root. */
  readonly #around: Ratchet | undefined;
  #isUnchanged: boolean | undefined;

  constructor(value: unknown, { old, schema, around }: RatchetOptions) {
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
    this.#around = around;
  }

  /** A value without an old value counts as unchanged if the enclosing value is unchanged. */
  get isUnchanged(): boolean {
    this.#isUnchanged ??=
      this.#old === uncorrelated
        ? (this.#around?.isUnchanged ?? false)
        : sameValue(this.#value, this.#old, this.#schema);
    return this.#isUnchanged;
  }

  /** Returns the ratchet of a field. Undefined where no failure is tolerated. */
  field(name: string): Ratchet | undefined {
    if (this.#old === uncorrelated) return this;
    if (this.#around === undefined && (name === 'apiVersion' || name === 'kind')) return undefined;
    const { properties = {}, additionalProperties } = this.#schema;
    const schema = Object.hasOwn(properties, name) ? properties[name] : schemaOf(additionalProperties);
    const value = (this.#value as Readonly<Record<string, unknown>>)[name];
    const isKnown = schema !== undefined && isObject(this.#old) && Object.hasOwn(this.#old, name);
    const old = isKnown ? (this.#old as Readonly<Record<string, unknown>>)[name] : uncorrelated;
    return new Ratchet(value, { old, schema: schema ?? {}, around: this });
  }

  /** Returns the ratchet of a list item. `old` is the old item or `uncorrelated`. */
  item(value: unknown, old: unknown): Ratchet {
    if (this.#old === uncorrelated) return this;
    return new Ratchet(value, { old, schema: itemSchema(this.#schema) ?? {}, around: this });
  }
}

interface RatchetOptions {
  readonly old: unknown;
  readonly schema: JsonSchema;
  readonly around?: Ratchet;
}
