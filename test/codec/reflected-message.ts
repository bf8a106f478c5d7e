import protobuf from 'protobufjs';
import type { Field, ScalarKind, Schema, StructSchema } from '../../src/schema/model.ts';
import { jsonOfMessage } from './json-of-message.ts';
import { messageOf } from './message-value.ts';

// A codec that shares no code with the one under test. Schemas are translated into protobufjs types, which encode and
// decode the bytes. Fields have the names `f` plus their number, because names in JSON may not be valid identifiers.

/** Encodes an object in its JSON form with protobufjs. */
export function encodeReflected(schema: StructSchema, value: object, options: EncodeOptions): Buffer {
  const type = typesFor(options).struct(schema);
  return Buffer.from(type.encode(messageOf(schema, value, options)).finish());
}

/** Decodes an object into its JSON form with protobufjs. */
export function decodeReflected(schema: StructSchema, bytes: Buffer): unknown {
  const type = unpackedTypes.struct(schema);
  return jsonOfMessage(schema, type.toObject(type.decode(bytes), { longs: String, bytes: String }));
}

export interface EncodeOptions {
  /** Whether repeated numbers are packed. Kubernetes decodes both forms and does not pack them. */
  readonly packed: boolean;
  /** Encodes unset fields with the zero values of Go's structs, as Kubernetes does. */
  readonly zeros: boolean;
}

const scalarTypes: Partial<Record<ScalarKind, string>> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  uint32: 'uint32',
  float64: 'double',
  bytes: 'bytes',
};

/** The fields of message types that are a single value in JSON. */
const scalarMessages: Partial<Record<ScalarKind, readonly string[]>> = {
  time: ['int64', 'int32'],
  microTime: ['int64', 'int32'],
  duration: ['int64'],
  quantity: ['string'],
  intOrString: ['int64', 'int32', 'string'],
  rawExtension: ['bytes'],
  fieldsV1: ['bytes'],
  json: ['bytes'],
};

class ReflectedTypes {
  readonly #root = new protobuf.Root();
  readonly #packed: boolean;
  readonly #byName = new Map<string, protobuf.Type>();

  constructor(packed: boolean) {
    this.#packed = packed;
  }

  struct(schema: StructSchema): protobuf.Type {
    return this.#type(schema.name, (type) => {
      for (const field of schema.fields) type.add(this.#field(field));
    });
  }

  #field({ number, schema }: Field): protobuf.ReflectionObject {
    const name = `f${number}`;
    if (schema.type === 'map') return new protobuf.MapField(name, number, 'string', this.#typeName(schema.values));
    if (schema.type !== 'list' || schema.name !== undefined) {
      return new protobuf.Field(name, number, this.#typeName(schema), 'optional');
    }
    const packed = this.#packed && this.#typeName(schema.items) in protobuf.types.packed;
    return new protobuf.Field(name, number, this.#typeName(schema.items), 'repeated', undefined, { packed });
  }

  #typeName(schema: Schema): string {
    if (schema.type === 'struct') return this.struct(schema).fullName;
    if (schema.type === 'map') throw new TypeError('maps are fields');
    if (schema.type === 'list') {
      const item = this.#typeName(schema.items);
      return this.#type(schema.name!, (type) => type.add(new protobuf.Field('f1', 1, item, 'repeated'))).fullName;
    }
    const scalar = scalarTypes[schema.kind];
    if (scalar !== undefined) return scalar;
    const fieldTypes = scalarMessages[schema.kind]!;
    return this.#type(schema.kind, (type) => {
      for (const [index, fieldType] of fieldTypes.entries())
        type.add(new protobuf.Field(`f${index + 1}`, index + 1, fieldType));
    }).fullName;
  }

  #type(name: string, define: (type: protobuf.Type) => void): protobuf.Type {
    let type = this.#byName.get(name);
    if (type === undefined) {
      type = new protobuf.Type(name.replaceAll(/[^A-Za-z0-9]/g, '_'));
      this.#root.add(type);
      this.#byName.set(name, type);
      define(type);
    }
    return type;
  }
}

const packedTypes = new ReflectedTypes(true);
const unpackedTypes = new ReflectedTypes(false);

function typesFor({ packed }: EncodeOptions): ReflectedTypes {
  return packed ? packedTypes : unpackedTypes;
}
