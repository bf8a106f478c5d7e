import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import type { Field, Schema } from '../model.ts';
import { maxElements, refuseFrom, setEntry } from '../normalize/containers.ts';
import type { DefaultedSize, Normalizer, Pass } from '../normalize/pass.ts';
import type { TypeMeta } from '../normalize/type-meta.ts';
import { isObject, jsonTypeOf, TypeMismatch } from '../normalize/type-mismatch.ts';
import { sortedValue } from './sorted-value.ts';

interface NormalizerOptions {
  /** Compiles the types of the server, such as the metadata of an object. */
  readonly compileBuiltIn: (schema: Schema) => Normalizer;
  /** Set for a whole object: its `kind` and `apiVersion`. */
  readonly typeMeta?: TypeMeta | undefined;
}

/** Compiles a node of a custom type. Its members are compiled when the first value arrives. */
export function customNormalizer(schema: Schema, options: NormalizerOptions): Normalizer {
  const node = new CustomNode(schema, options);
  const isWhole = options.typeMeta !== undefined;
  return (value, pass) => {
    if (isWhole && !isObject(value)) throw new TypeMismatch(jsonTypeOf(value), 'map[string]interface {}');
    return node.normalize(value, pass);
  };
}

/** A property of an object, an item of a list or a value of a map. */
class Member {
  readonly nullable: boolean;
  /** Undefined for fields of built-in types. */
  readonly #node: CustomNode | undefined;
  readonly #normalize: Normalizer | undefined;
  readonly #default: unknown;
  #defaultSize: DefaultedSize | undefined;
  /** The replacement for a field of a built-in type without a value. */
  readonly #absent: Normalizer | undefined;

  constructor(options: {
    node?: CustomNode;
    schema?: Schema;
    normalize?: Normalizer;
    absent?: Normalizer | undefined;
    default?: unknown;
  }) {
    this.nullable = options.schema?.structural?.nullable ?? false;
    this.#node = options.node;
    this.#normalize = options.normalize;
    this.#default = options.schema?.structural?.default ?? options.default;
    this.#absent = options.absent;
  }

  /** Whether the member may be written although the source does not have it. */
  get isFilled(): boolean {
    return this.#default !== undefined || this.#absent !== undefined;
  }

  normalize(value: unknown, pass: Pass): unknown {
    if (this.#node === undefined) return this.#normalize!(value, pass);
    return typeof value === 'string' || typeof value === 'boolean' ? value : this.#node.normalize(value, pass);
  }

  /** Returns the default value, or undefined if there is none. */
  absent(pass: Pass): unknown {
    if (this.#default === undefined) return this.#absent?.(undefined, pass);
    if (!pass.defaults) return undefined;
    this.#defaultSize ??= sizeOf(this.#default);
    pass.defaulted ??= { bytes: 0, values: 0 };
    const { defaults, defaulted } = pass;
    count(defaulted, this.#defaultSize);
    // Normalizing makes a copy, in which the defaults of its fields are set as well.
    return this.normalize(this.#default, { defaults, unknown: false, needsSchemaCheck: false, defaulted });
  }
}

/** The maximum size of an object. A few bytes of an object can expand to a large default. */
const maxDefaultedBytes = 2 * 1024 * 1024;
/** The maximum number of values in a document. */
const maxDefaultedValues = 50_000;
/** The minimum size of a default, such as the name of the field. */
const minBytes = 10;

function sizeOf(value: unknown): DefaultedSize {
  let values = 0;
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    values++;
    return typeof inner === 'bigint' ? String(inner) : inner;
  });
  return { bytes: minBytes + text.length, values };
}

function count(defaulted: DefaultedSize, { bytes, values }: DefaultedSize): void {
  defaulted.bytes += bytes;
  defaulted.values += values;
  if (defaulted.bytes > maxDefaultedBytes) {
    throw new BoundsError(`the defaults of the object have more than ${maxDefaultedBytes} bytes`);
  }
  if (defaulted.values > maxDefaultedValues) {
    throw new BoundsError(`the defaults of the object have more than ${maxDefaultedValues} values`);
  }
}

interface Members {
  /** In canonical order. */
  readonly byName: ReadonlyMap<string, Member>;
  readonly filled: readonly string[];
  readonly items: Member | undefined;
  readonly values: Member | undefined;
}

/** Normalizes the values of one node by their actual type, because validation comes later. */
class CustomNode {
  readonly #schema: Schema;
  readonly #options: NormalizerOptions;
  readonly #open: boolean;
  readonly #isWhole: boolean;
  #members: Members | undefined;

  constructor(schema: Schema, options: NormalizerOptions) {
    this.#schema = schema;
    this.#options = options;
    this.#open = schema.structural?.open ?? false;
    this.#isWhole = options.typeMeta !== undefined;
  }

  normalize(value: unknown, pass: Pass): unknown {
    if (typeof value !== 'object') return sortedValue(value);
    this.#members ??= membersOf(this.#schema, this.#options);
    return Array.isArray(value)
      ? this.#list(value, this.#members.items, pass)
      : this.#object(value as Record<string, unknown>, this.#members, pass);
  }

  #list(value: readonly unknown[], items: Member | undefined, pass: Pass): unknown {
    const { length } = value;
    if (length > maxElements) refuseFrom(pass);
    if (items === undefined && this.#open) return sortedValue(value);
    const result = new Array<unknown>(length);
    for (let index = 0; index < length; index++) {
      const item = value[index];
      if (items === undefined) result[index] = pruned(item, pass);
      else if (item !== null) result[index] = items.normalize(item, pass);
      else result[index] = items.nullable ? null : (items.absent(pass) ?? null);
    }
    return result;
  }

  #object(source: Readonly<Record<string, unknown>>, { byName, filled, values }: Members, pass: Pass): unknown {
    const result: Record<string, unknown> = {};
    const sorted = sortedKeys(source, filled);
    const keys = this.#isWhole ? metadataFirst(sorted) : sorted;
    if (values !== undefined && keys.length > maxElements) refuseFrom(pass);
    for (const key of keys) {
      const member = byName.get(key) ?? values;
      const value = source[key];
      if (member === undefined) {
        if (this.#open) setEntry(result, key, sortedValue(value));
        else pass.unknown = true;
      } else if (value !== undefined && value !== null && (filled.length === 0 || Object.hasOwn(source, key))) {
        setEntry(result, key, member.normalize(value, pass));
      } else {
        const absent = value === null && member.nullable ? null : member.absent(pass);
        if (absent !== undefined) setEntry(result, key, absent);
        else if (value === null && pass.keepsNulls === true) setEntry(result, key, null);
      }
    }
    return result;
  }
}

/** Returns the keys of the source and those that are always visited, in canonical order. */
function sortedKeys(source: Readonly<Record<string, unknown>>, filled: readonly string[]): string[] {
  const keys = Object.keys(source);
  for (const name of filled) if (!Object.hasOwn(source, name)) keys.push(name);
  for (let index = 1; index < keys.length; index++) if (keys[index]! < keys[index - 1]!) return keys.sort();
  return keys;
}

const leadingKeys = ['apiVersion', 'kind', 'metadata'];

/** Puts the metadata first, because the store searches documents for it and expects no other content before it. */
function metadataFirst(keys: readonly string[]): string[] {
  const others = keys.filter((key) => !leadingKeys.includes(key));
  return [...leadingKeys.filter((key) => keys.includes(key)), ...others];
}

/** Returns the pruned form of a value that the schema does not describe: objects lose all their fields. */
function pruned(value: unknown, pass: Pass): unknown {
  if (typeof value !== 'object' || value === null) return sortedValue(value);
  if (Array.isArray(value)) return value.map((item) => pruned(item, pass));
  if (Object.keys(value).length > 0) pass.unknown = true;
  return {};
}

function membersOf(schema: Schema, options: NormalizerOptions): Members {
  const { compileBuiltIn, typeMeta } = options;
  const fields = schema.type === 'struct' ? schema.fields : [];
  const byName = new Map(fields.map((field) => [field.name, fieldMember(field, options)]));
  for (const name of typeMeta === undefined ? [] : (['apiVersion', 'kind'] as const)) {
    const expected = () => typeMeta?.[name];
    byName.set(name, new Member({ normalize: expected, absent: expected }));
  }
  return {
    byName,
    filled: [...byName].filter(([, member]) => member.isFilled).map(([name]) => name),
    items: schema.type === 'list' ? nodeMember(schema.items, compileBuiltIn) : undefined,
    values: schema.type === 'map' ? nodeMember(schema.values, compileBuiltIn) : undefined,
  };
}

function nodeMember(schema: Schema, compileBuiltIn: NormalizerOptions['compileBuiltIn']): Member {
  return new Member({ schema, node: new CustomNode(schema, { compileBuiltIn }) });
}

function fieldMember({ schema, name, default: value }: Field, { compileBuiltIn, typeMeta }: NormalizerOptions): Member {
  if (schema.structural !== undefined) return nodeMember(schema, compileBuiltIn);
  if (name !== 'metadata') return new Member({ normalize: text, default: value });
  const normalize = compileBuiltIn(schema);
  // Whole objects always have metadata.
  const absent = typeMeta === undefined ? undefined : (_value: unknown, pass: Pass) => normalize({}, pass);
  return new Member({ normalize, absent, default: value });
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new DecodeError('must be a string');
}
