import { DecodeError } from '../../meta/decode-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { isExactQuantity } from '../../schema/exact-quantity.ts';
import { markExplicitEmpty } from '../../schema/explicit-empty.ts';
import type { ListSchema, MapSchema, ScalarSchema, StructSchema } from '../../schema/model.ts';
import { planFields } from '../../schema/normalize/compile.ts';
import type { FieldPlan } from '../../schema/normalize/field-plan.ts';
import type { Pass } from '../../schema/normalize/pass.ts';
import { scalarNormalizers } from '../../schema/normalize/scalars.ts';
import { embeddedTypeMeta } from '../../schema/normalize/type-meta.ts';
import {
  closeBrace,
  closeBracket,
  colon,
  notPlain,
  openBrace,
  openBracket,
  PlainCursor,
  quote,
} from './plain-cursor.ts';

/** An object in canonical form, and whether it may violate a rule of its schema. */
interface PlainObject {
  readonly object: ResourceObject;
  readonly needsSchemaCheck: boolean;
}

/** Reads the canonical form of the next value, which is not null. */
type Reader = (cursor: PlainCursor, pass: Pass) => unknown;

interface KindOptions {
  readonly schema: StructSchema;
  readonly kind: string;
  readonly apiVersion: string;
}

/**
 * Compiles a function that does in one pass what `decodeJson` and `CompiledKind.normalize` do in three, without an
 * intermediate tree. It is for common documents, and returns undefined for others: those with unknown or repeated
 * fields, values of a wrong type, arbitrary JSON, managed fields, another kind, or characters beyond ASCII. The caller
 * limits the size, so that no other bound can be exceeded.
 */
export function plainObjectReader({
  schema,
  kind,
  apiVersion,
}: KindOptions): (bytes: Buffer) => PlainObject | undefined {
  if (schema.structural !== undefined) return () => undefined;
  let read: Reader | undefined;
  return (bytes) => {
    read ??= structReader(() => planFields(schema, { kind, apiVersion }), { kind, apiVersion });
    const pass: Pass = { defaults: true, keepsNulls: false, sortsKeys: false, unknown: false, needsSchemaCheck: false };
    valuesInUse = 0;
    try {
      const cursor = new PlainCursor(bytes);
      const object = read(cursor, pass) as ResourceObject;
      if (!cursor.isAtEnd) return undefined;
      if (pass.explicitEmpty === true) markExplicitEmpty(object);
      return { object, needsSchemaCheck: pass.needsSchemaCheck };
    } catch (error) {
      // A stack overflow is one of the errors that the general decoder reports.
      if (error === notPlain || error instanceof DecodeError || error instanceof RangeError) return undefined;
      throw error;
    } finally {
      if (valueStack.length > stackSize) valueStack.length = stackSize;
    }
  };
}

const refuse: Reader = () => {
  throw notPlain;
};

const stackSize = 1024;
/**
 * The values of all objects, lists and maps that are being read. They would otherwise take arrays of their own, which
 * V8 makes larger than needed.
 */
const valueStack: unknown[] = new Array(stackSize).fill(undefined);
let valuesInUse = 0;

const structs = new WeakMap<StructSchema, Reader>();

function readerOf(field: FieldPlan): Reader {
  const { schema, normalize } = field;
  switch (schema.type) {
    case 'scalar':
      return scalarReader(schema, normalize);
    case 'struct':
      return nestedReader(schema);
    case 'list':
      return listReader(schema);
    case 'map':
      return mapReader(schema);
  }
}

function scalarReader({ kind }: ScalarSchema, normalize: FieldPlan['normalize']): Reader {
  switch (kind) {
    case 'string':
      // The field `kind` of an embedded object has a fixed value.
      if (normalize !== scalarNormalizers.string) return (cursor, pass) => normalize(cursor.string(), pass);
      return (cursor) => cursor.string();
    case 'bool':
      return (cursor) => cursor.boolean();
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'float64':
      return (cursor, pass) => normalize(cursor.integer(), pass);
    case 'time':
      return (cursor, pass) => {
        const given = cursor.string();
        // A value with another spelling needs the general decoder, which records how it was written.
        if (normalize(given, pass) !== given) throw notPlain;
        return given;
      };
    case 'quantity':
      return (cursor, pass) => {
        const given = cursor.scalar();
        const canonical = normalize(given, pass) as string;
        // The general decoder records the amount.
        if (!isExactQuantity(canonical, given)) throw notPlain;
        return canonical;
      };
    case 'bytes':
    case 'microTime':
    case 'duration':
    case 'intOrString':
      return (cursor, pass) => normalize(cursor.scalar(), pass);
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return refuse;
  }
}

function nestedReader(schema: StructSchema): Reader {
  if (schema.untagged === true || schema.structural !== undefined) return refuse;
  let read = structs.get(schema);
  if (read === undefined) {
    read = structReader(() => planFields(schema, embeddedTypeMeta(schema)));
    structs.set(schema, read);
  }
  return read;
}

function listReader({ items }: ListSchema): Reader {
  const read =
    items.type === 'struct'
      ? nestedReader(items)
      : items.type === 'scalar'
        ? scalarReader(items, scalarNormalizers[items.kind])
        : refuse;
  return (cursor, pass) => {
    if (!cursor.opens(openBracket, closeBracket)) return null;
    const values = valueStack;
    const base = valuesInUse;
    do {
      const value = read(cursor, pass);
      values[valuesInUse++] = value;
    } while (cursor.hasMore(closeBracket));
    const result = values.slice(base, valuesInUse);
    valuesInUse = base;
    return result;
  };
}

/** Larger maps are sorted faster by the general decoder. */
const maxEntries = 64;

/** Sorts the entries, a key and a value each, while it reads them. They are few, and nearly always in order. */
function mapReader({ values }: MapSchema): Reader {
  const read = values.type === 'scalar' ? scalarReader(values, scalarNormalizers[values.kind]) : refuse;
  if (read === refuse) return refuse;
  return (cursor, pass) => {
    if (!cursor.opens(openBrace, closeBrace)) return null;
    const values = valueStack;
    const base = valuesInUse;
    do {
      const key = cursor.string();
      cursor.expect(colon);
      const value = read(cursor, pass);
      let at = valuesInUse;
      if (at === base + 2 * maxEntries || key === '__proto__') throw notPlain;
      for (; at > base && (values[at - 2] as string) >= key; at -= 2) {
        if (values[at - 2] === key) throw notPlain;
        values[at] = values[at - 2];
        values[at + 1] = values[at - 1];
      }
      values[at] = key;
      values[at + 1] = value;
      valuesInUse += 2;
    } while (cursor.hasMore(closeBrace));
    const result: Record<string, unknown> = {};
    for (let at = base; at < valuesInUse; at += 2) result[values[at] as string] = values[at + 1];
    valuesInUse = base;
    return result;
  };
}

/** A struct is compiled when its first value arrives, so that unused types cost nothing. */
function structReader(planned: () => readonly FieldPlan[], typeMeta?: Readonly<Record<string, string>>): Reader {
  let plan: PlainStruct | undefined;
  return (cursor, pass) => {
    plan ??= new PlainStruct(planned(), typeMeta);
    return plan.read(cursor, pass);
  };
}

/** The number of fields that fit in two 32-bit words. */
const maxFields = 64;

/** Reads an object field by field, and writes the fields in the order of the schema. */
class PlainStruct {
  readonly #fields: readonly FieldPlan[];
  readonly #readers: readonly Reader[];
  readonly #positions: ReadonlyMap<string, number>;
  /** The encoded field names. */
  readonly #names: readonly Uint8Array[];
  /**
   * The position of the field that followed each field in the last object. The first element is for the start of the
   * object.
   */
  readonly #following: Uint8Array;
  /** The positions of the fields that must be visited even if they are absent. */
  readonly #low: number = 0;
  readonly #high: number = 0;

  constructor(fields: readonly FieldPlan[], typeMeta: Readonly<Record<string, string>> | undefined) {
    this.#fields = fields;
    this.#readers = fields.map((field) => {
      if (field.name === managedFields) return refuse;
      const expected = typeMeta?.[field.name];
      return expected === undefined ? readerOf(field) : constantReader(expected);
    });
    this.#positions = new Map(fields.map(({ name }, position) => [name, position]));
    this.#names = fields.map(({ name }) => new Uint8Array(Buffer.from(JSON.stringify(name))));
    this.#following = new Uint8Array(fields.length + 1);
    for (const [position, field] of fields.entries()) {
      if (!field.needsVisit) continue;
      if (position < 32) this.#low |= 1 << position;
      else this.#high |= 1 << (position - 32);
    }
  }

  read(cursor: PlainCursor, pass: Pass): Record<string, unknown> {
    const fields = this.#fields;
    if (fields.length > maxFields) throw notPlain;
    const values = valueStack;
    const base = valuesInUse;
    valuesInUse = base + fields.length;
    let low = 0;
    let high = 0;
    let lowNulls = 0;
    let highNulls = 0;
    if (cursor.opens(openBrace, closeBrace)) {
      // All fields of a type without fields are unknown.
      if (fields.length === 0) throw notPlain;
      let position = -1;
      do {
        position = this.#nextPosition(cursor, position);
        const reader = this.#readers[position]!;
        if (reader === refuse) throw notPlain;
        const isLow = position < 32;
        const bit = 1 << (position & 31);
        if (((isLow ? low | lowNulls : high | highNulls) & bit) !== 0) throw notPlain;
        if (cursor.takesNull()) {
          if (isLow) lowNulls |= bit;
          else highNulls |= bit;
        } else {
          values[base + position] = reader(cursor, pass);
          if (isLow) low |= bit;
          else high |= bit;
        }
      } while (cursor.hasMore(closeBrace));
    }
    valuesInUse = base;
    const result: Record<string, unknown> = {};
    for (let rest = low | lowNulls | this.#low; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const position = 31 - Math.clz32(bit);
      if ((low & bit) !== 0) fields[position]!.write(values[base + position], result, pass);
      else fields[position]!.omit(result, pass);
    }
    for (let rest = high | highNulls | this.#high; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const position = 63 - Math.clz32(bit);
      if ((high & bit) !== 0) fields[position]!.write(values[base + position], result, pass);
      else fields[position]!.omit(result, pass);
    }
    return result;
  }

  /** Reads a name and its colon. Clients write the fields of a type in the same order each time. */
  #nextPosition(cursor: PlainCursor, previous: number): number {
    if (cursor.peek() !== quote) throw notPlain;
    const guess = this.#following[previous + 1]!;
    if (cursor.skips(this.#names[guess]!)) {
      cursor.expect(colon);
      return guess;
    }
    const position = this.#positions.get(cursor.string());
    if (position === undefined) throw notPlain;
    cursor.expect(colon);
    this.#following[previous + 1] = position;
    return position;
  }
}

/** Field ownership needs managed fields as they were sent. */
const managedFields = 'managedFields';

function constantReader(expected: string): Reader {
  return (cursor) => {
    if (cursor.string() !== expected) throw notPlain;
    return expected;
  };
}
