import { type CelType, fieldTypeOf, type ListType, type MapType, type ObjectType } from '../checker/cel-type.ts';
import { unescapeFieldName } from '../field-name.ts';

/*
 * Values of expressions: int is a bigint, double a number, string a string, bool a boolean, null is null, bytes a
 * Uint8Array. The others are the classes of this file. Lists and maps read plain JSON and convert what is read.
 */

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds since 1970. */
export class Timestamp {
  readonly nanoseconds: bigint;
  /** The minutes by which the local time in its text is ahead of UTC. */
  readonly offset: number;

  constructor(nanoseconds: bigint, offset = 0) {
    this.nanoseconds = nanoseconds;
    this.offset = offset;
  }
}

export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

export class Optional {
  static readonly none = new Optional(undefined);
  /** Undefined when there is none. */
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A type as a value. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The base of values with their own CEL type, such as addresses. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;
  abstract equals(other: OpaqueValue): boolean;
  /** The result of `size`, for costs. */
  get size(): number {
    return 1;
  }
}

/** Converts a JSON value when it is read. */
export type Adopt = (json: unknown) => unknown;

interface ListOptions {
  /** Undefined when the items are values already. */
  readonly adopt?: Adopt;
  /** The list type, which determines equality and concatenation. */
  readonly semantics?: ListType;
}

export class ListValue {
  readonly length: number;
  readonly semantics: ListType | undefined;
  readonly #items: unknown[];
  readonly #adopt: Adopt | undefined;
  /** Whether this class created the array, so that a longer list may share it. */
  readonly #owned: boolean;

  constructor(items: readonly unknown[], options: ListOptions = {}, owned?: { readonly length: number }) {
    this.#items = items as unknown[];
    this.#adopt = options.adopt;
    this.semantics = options.semantics?.listType === undefined ? undefined : options.semantics;
    this.#owned = owned !== undefined;
    this.length = owned?.length ?? items.length;
  }

  get(index: number): unknown {
    const item = this.#items[index];
    return this.#adopt === undefined ? item : this.#adopt(item);
  }

  /** Appending to the newest list does not copy the array, because older lists keep their own length. */
  concat(other: ListValue): ListValue {
    const items = this.#owned && this.#items.length === this.length ? this.#items : this.toArray();
    for (let index = 0; index < other.length; index++) items.push(other.get(index));
    return new ListValue(items, {}, { length: items.length });
  }

  toArray(): unknown[] {
    const values: unknown[] = [];
    for (let index = 0; index < this.length; index++) values.push(this.get(index));
    return values;
  }

  *[Symbol.iterator](): Generator<unknown> {
    for (let index = 0; index < this.length; index++) yield this.get(index);
  }
}

export abstract class MapValue {
  abstract readonly size: number;
  abstract readonly typeName: string;
  /** Undefined when the key does not exist. */
  abstract find(key: unknown): unknown;
  abstract keys(): readonly unknown[];
}

/** A map or object in JSON. At run time, objects are maps, too. */
export class JsonMap extends MapValue {
  readonly typeName = 'map';
  readonly json: Readonly<Record<string, unknown>>;
  readonly #type: MapType | ObjectType;
  readonly #adopt: (json: unknown, type: CelType) => unknown;

  constructor(
    json: Readonly<Record<string, unknown>>,
    type: MapType | ObjectType,
    adopt: (json: unknown, type: CelType) => unknown,
  ) {
    super();
    this.json = json;
    this.#type = type;
    this.#adopt = adopt;
  }

  get size(): number {
    return this.keys().length;
  }

  find(key: unknown): unknown {
    if (typeof key !== 'string') return undefined;
    if (this.#type.kind === 'map') return this.read(key, this.#type.values);
    const type = fieldTypeOf(this.#type, key);
    return type && this.read(unescapeFieldName(key), type);
  }

  read(property: string, type: CelType): unknown {
    const value = Object.hasOwn(this.json, property) ? this.json[property] : undefined;
    if (value === undefined || (value === null && this.#nullsAreAbsent)) return undefined;
    return this.#adopt(value, type);
  }

  get #nullsAreAbsent(): boolean {
    return this.#type.kind === 'object' && this.#type.nullsAreAbsent === true;
  }

  keys(): string[] {
    const keys: string[] = [];
    for (const key of Object.keys(this.json)) if (this.json[key] !== undefined) keys.push(key);
    return keys;
  }
}

/** An object that an expression constructs, such as `Object{...}`. */
export class MessageValue extends MapValue {
  readonly typeName: string;
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(typeName: string, fields: ReadonlyMap<string, unknown>) {
    super();
    this.typeName = typeName;
    this.#fields = fields;
  }

  get size(): number {
    return this.#fields.size;
  }

  find(key: unknown): unknown {
    return this.#fields.get(key as string);
  }

  keys(): string[] {
    return Array.from(this.#fields.keys());
  }
}

/**
 * A map created by an expression. A key of type int and one of type uint are different keys, even of the same number,
 * but each is found by the other if only one is there.
 */
export class EntryMap extends MapValue {
  readonly typeName = 'map';
  readonly #entries = new Map<unknown, unknown>();
  /** Apart from the others, because two objects of the same number would be different keys. */
  readonly #uints = new Map<bigint, unknown>();

  get size(): number {
    return this.#entries.size + this.#uints.size;
  }

  has(key: unknown): boolean {
    return this.find(key) !== undefined;
  }

  find(key: unknown): unknown {
    const value = key instanceof Uint ? this.#uints.get(key.value) : this.#entries.get(key);
    if (value !== undefined) return value;
    if (key instanceof Uint) return this.#entries.get(key.value);
    if (typeof key === 'bigint') return this.#uints.get(key);
    return typeof key === 'number' && Number.isInteger(key) ? this.find(BigInt(key)) : undefined;
  }

  keys(): unknown[] {
    return [...this.#entries.keys(), ...Array.from(this.#uints.keys(), (value) => new Uint(value))];
  }

  set(key: unknown, value: unknown): this {
    if (key instanceof Uint) this.#uints.set(key.value, value);
    else this.#entries.set(key, value);
    return this;
  }

  delete(key: unknown): void {
    if (key instanceof Uint) this.#uints.delete(key.value);
    else this.#entries.delete(key);
  }
}

/** A map with texts as keys, whose values are computed when they are read. */
export class ComputedMap extends MapValue {
  readonly typeName: string;
  readonly #names: ReadonlySet<string>;
  readonly #compute: (name: string) => unknown;

  /** `compute` returns a value of expressions, the same for each call. */
  constructor(typeName: string, names: ReadonlySet<string>, compute: (name: string) => unknown) {
    super();
    this.typeName = typeName;
    this.#names = names;
    this.#compute = compute;
  }

  get size(): number {
    return this.#names.size;
  }

  find(key: unknown): unknown {
    return typeof key === 'string' && this.#names.has(key) ? this.#compute(key) : undefined;
  }

  keys(): readonly string[] {
    return [...this.#names];
  }
}

const surrogate = /[\ud800-\udfff]/;

/** The number of characters, not of UTF-16 units. */
export function codePoints(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The size of a value for the cost: 1 for values without a size. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return codePoints(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length;
  return value instanceof MapValue || value instanceof OpaqueValue ? value.size : 1;
}

/** The name of the type of a value. */
export function typeNameOf(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return value === null ? 'null_type' : objectTypeName(value as object);
  }
}

function objectTypeName(value: object): string {
  if (value instanceof ListValue) return 'list';
  if (value instanceof MapValue || value instanceof OpaqueValue) return value.typeName;
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Optional) return 'optional_type';
  return value instanceof TypeValue ? 'type' : 'bytes';
}

/** The name that some messages of Kubernetes have for the type of a value. */
export function goTypeOf(value: unknown): string {
  const name = typeNameOf(value);
  if (value === null) return 'types.Null';
  if (value instanceof Optional) return '*types.Optional';
  if (value instanceof TypeValue) return '*types.Type';
  return `types.${name.slice(name.lastIndexOf('.') + 1).replace(/^./, (letter) => letter.toUpperCase())}`;
}
