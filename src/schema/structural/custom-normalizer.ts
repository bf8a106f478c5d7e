import { DecodeError } from '../../meta/decode-error.ts';
import type { Field, Schema } from '../model.ts';
import { maxElements, refuseFrom, setEntry } from '../normalize/containers.ts';
import type { Normalizer, Pass } from '../normalize/pass.ts';
import type { TypeMeta } from '../normalize/type-meta.ts';
import { isObject, jsonTypeOf, TypeMismatch } from '../normalize/type-mismatch.ts';
import { sortedValue } from './sorted-value.ts';

interface NormalizerOptions {
  /** Compiles the types of the server, such as the metadata of an object. */
  readonly compileBuiltIn: (schema: Schema) => Normalizer;
  /** Set for a whole object: its `kind` and `apiVersion`. */
  readonly typeMeta?: TypeMeta | undefined;
}

/** Compiles a node of a custom type when the first value arrives. */
export function customNormalizer(schema: Schema, options: NormalizerOptions): Normalizer {
  let node: CustomNode | undefined;
  return (value, pass) => {
    node ??= new CustomNode(schema, options);
    if (options.typeMeta !== undefined && !isObject(value)) {
      throw new TypeMismatch(jsonTypeOf(value), 'map[string]interface {}');
    }
    return node.normalize(value, pass);
  };
}

/** A property of an object, an item of a list or a value of a map. */
interface Member {
  readonly nullable: boolean;
  normalize: Normalizer;
  /** What is written when there is no value. Undefined: nothing. */
  readonly absent: Normalizer | undefined;
}

/** Normalizes the values of one node by their actual type, because validation comes later. */
class CustomNode {
  readonly #open: boolean;
  readonly #items: Member | undefined;
  readonly #values: Member | undefined;
  readonly #members: ReadonlyMap<string, Member>;
  /** The members that may be written although the source does not have them. */
  readonly #filled: readonly string[];

  constructor(schema: Schema, options: NormalizerOptions) {
    const inner = { compileBuiltIn: options.compileBuiltIn };
    this.#open = schema.structural?.open ?? false;
    this.#items = schema.type === 'list' ? memberOf(schema.items, inner) : undefined;
    this.#values = schema.type === 'map' ? memberOf(schema.values, inner) : undefined;
    const { typeMeta } = options;
    const fields = schema.type === 'struct' ? schema.fields : [];
    const members = fields.map((field) => [field.name, fieldMember(field, { ...inner, typeMeta })] as const);
    if (typeMeta !== undefined) members.unshift(...typeMetaMembers(typeMeta));
    this.#members = new Map(members);
    this.#filled = members.filter(([, { absent }]) => absent !== undefined).map(([name]) => name);
  }

  normalize(value: unknown, pass: Pass): unknown {
    if (typeof value !== 'object') return sortedValue(value);
    return Array.isArray(value) ? this.#list(value, pass) : this.#object(value as Record<string, unknown>, pass);
  }

  #list(value: readonly unknown[], pass: Pass): unknown {
    const items = this.#items;
    if (value.length > maxElements) refuseFrom(pass);
    if (items === undefined && this.#open) return sortedValue(value);
    return value.map((item) => {
      if (items === undefined) return pruned(item, pass);
      if (item !== null) return items.normalize(item, pass);
      return items.nullable ? null : (items.absent?.(undefined, pass) ?? null);
    });
  }

  #object(source: Readonly<Record<string, unknown>>, pass: Pass): unknown {
    const result: Record<string, unknown> = {};
    const keys = this.#keys(source);
    if (this.#values !== undefined && keys.length > maxElements) refuseFrom(pass);
    for (const key of keys) {
      const member = this.#members.get(key) ?? this.#values;
      const value = Object.hasOwn(source, key) ? source[key] : undefined;
      if (member === undefined) {
        if (this.#open) setEntry(result, key, sortedValue(value));
        else pass.unknown = true;
      } else {
        const normalized = memberValue(member, value, pass);
        if (normalized !== undefined) setEntry(result, key, normalized);
      }
    }
    return result;
  }

  /** The keys in canonical order. */
  #keys(source: Readonly<Record<string, unknown>>): string[] {
    const keys = Object.keys(source);
    for (const name of this.#filled) if (!Object.hasOwn(source, name)) keys.push(name);
    for (let index = 1; index < keys.length; index++) if (keys[index]! < keys[index - 1]!) return keys.sort();
    return keys;
  }
}

function memberValue(member: Member, value: unknown, pass: Pass): unknown {
  if (value === null && member.nullable) return null;
  if (value !== undefined && value !== null) return member.normalize(value, pass);
  const absent = member.absent?.(value, pass);
  return absent === undefined && value === null && pass.keepsNulls === true ? null : absent;
}

/** What is left of a value that the schema does not describe: objects lose all their fields. */
function pruned(value: unknown, pass: Pass): unknown {
  if (typeof value !== 'object' || value === null) return sortedValue(value);
  if (Array.isArray(value)) return value.map((item) => pruned(item, pass));
  if (Object.keys(value).length > 0) pass.unknown = true;
  return {};
}

function memberOf(schema: Schema, options: NormalizerOptions): Member {
  const { nullable = false, default: value } = schema.structural ?? {};
  const normalize = customNormalizer(schema, options);
  return { nullable, normalize, absent: value === undefined ? undefined : defaultOf(value, normalize) };
}

/** Normalizing makes a copy, in which the defaults of its fields are set as well. */
function defaultOf(value: unknown, normalize: Normalizer): Normalizer {
  return (_absent, { defaults }) =>
    defaults ? normalize(value, { defaults, unknown: false, needsSchemaCheck: false }) : undefined;
}

function fieldMember({ schema, name }: Field, { compileBuiltIn, typeMeta }: NormalizerOptions): Member {
  if (schema.structural !== undefined) return memberOf(schema, { compileBuiltIn });
  if (name !== 'metadata') return { nullable: false, normalize: text, absent: undefined };
  const normalize = compileBuiltIn(schema);
  // Whole objects always have metadata.
  const absent = typeMeta === undefined ? undefined : (_value: unknown, pass: Pass) => normalize({}, pass);
  return { nullable: false, normalize, absent };
}

function typeMetaMembers(typeMeta: TypeMeta) {
  return (['apiVersion', 'kind'] as const).map((name) => {
    const expected = () => typeMeta[name];
    return [name, { nullable: false, normalize: expected, absent: expected }] as const;
  });
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new DecodeError('must be a string');
}
