import { escapeFieldName, reservedWords } from '../field-name.ts';

/** The type of a value in expressions. Sizes serve the cost estimate and do not matter for type checks. */
export type CelType = SimpleType | ListType | MapType | ObjectType | OpaqueType | TypeType | TypeParameter;

interface Sized {
  /** Maximum number of characters, bytes, items or entries. Undefined: unbounded. Zero for types without a size. */
  readonly maxElements?: number;
}

type SimpleKind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration';

export interface SimpleType extends Sized {
  readonly kind: SimpleKind;
  /** Whether null may be used as this type, as for `google.protobuf.Int64Value`. */
  readonly wrapper?: true;
}

export interface ListType extends Sized {
  readonly kind: 'list';
  readonly items: CelType;
  /** Sets compare without order and concatenate to a union. Maps do so by the values of their keys. */
  readonly listType?: 'set' | 'map';
  /** The key fields of a list of type map. */
  readonly listKeys?: readonly string[];
}

export interface MapType extends Sized {
  readonly kind: 'map';
  readonly keys: CelType;
  readonly values: CelType;
}

export interface CelField {
  readonly type: CelType;
  readonly required?: boolean;
  readonly default?: unknown;
}

export interface ObjectType extends Sized {
  readonly kind: 'object';
  readonly name: string;
  /** Keyed by the name in expressions (see `escapeFieldName`). */
  readonly fields: Readonly<Record<string, CelField>>;
  /** The type of the fields that are not declared. Undefined when there are none. */
  readonly rest?: CelType;
  /** Whether fields that are null count as absent. */
  readonly nullsAreAbsent?: boolean;
}

/** The type of a field. Undefined when the field does not exist. */
export function fieldTypeOf({ fields, rest }: ObjectType, name: string): CelType | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]!.type;
  // Words of the language are found without their escapes, too.
  const escaped = reservedWords.has(name) ? escapeFieldName(name)! : name;
  return Object.hasOwn(fields, escaped) ? fields[escaped]!.type : rest;
}

/** A type known only by its name, for example `optional_type(int)` or `net.IP`. */
export interface OpaqueType extends Sized {
  readonly kind: 'opaque';
  readonly name: string;
  readonly parameters: readonly CelType[];
}

/** The type of a type. */
export interface TypeType extends Sized {
  readonly kind: 'type';
  readonly of: CelType | undefined;
}

export interface TypeParameter extends Sized {
  readonly kind: 'parameter';
  readonly name: string;
}

const simple = (kind: SimpleKind): SimpleType => ({ kind, maxElements: 0 });

export const dynType: SimpleType = { kind: 'dyn' };
export const anyType: SimpleType = { kind: 'any' };
export const errorType: SimpleType = { kind: 'error' };
export const boolType = simple('bool');
export const intType = simple('int');
export const uintType = simple('uint');
export const doubleType = simple('double');
export const nullType = simple('null');
export const timestampType = simple('timestamp');
export const durationType = simple('duration');
export const stringType: SimpleType = { kind: 'string' };
export const bytesType: SimpleType = { kind: 'bytes' };

export const listType = (items: CelType): ListType => ({ kind: 'list', items });
export const mapType = (keys: CelType, values: CelType): MapType => ({ kind: 'map', keys, values });
export const optionalType = (value: CelType): OpaqueType => ({
  kind: 'opaque',
  name: 'optional_type',
  parameters: [value],
});
export const typeType = (of?: CelType): TypeType => ({ kind: 'type', of });

/** An object type from the types of its fields. */
export function objectType(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  return {
    kind: 'object',
    name,
    maxElements: 0,
    fields: Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type }])),
  };
}

/** The type of a value that may be missing in a message. */
export const wrapperType = (kind: 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes'): SimpleType => ({
  kind,
  wrapper: true,
});

export function isWrapper(type: CelType): boolean {
  return (type as SimpleType).wrapper === true;
}

export function isOptional(type: CelType): type is OpaqueType {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

export function isDynamic(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any' || type.kind === 'error';
}

/** The parameters of a type, in the order in which they are printed. */
export function parametersOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case 'list':
      return [type.items];
    case 'map':
      return [type.keys, type.values];
    case 'opaque':
      return type.parameters;
    case 'type':
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

/** The name without parameters, which is also the name of the type as a value. */
export function typeName(type: CelType): string {
  switch (type.kind) {
    case 'timestamp':
    case 'duration':
      return `google.protobuf.${type.kind === 'timestamp' ? 'Timestamp' : 'Duration'}`;
    case 'null':
      return 'null_type';
    case 'object':
    case 'opaque':
    case 'parameter':
      return type.name;
    default:
      return type.kind;
  }
}

/** The text of a type in messages, for example `map(string, list(int))`. */
export function typeText(type: CelType): string {
  switch (type.kind) {
    case 'error':
      return '!error!';
    case 'null':
      return 'null';
    case 'timestamp':
    case 'duration':
      return type.kind;
    default: {
      const parameters = parametersOf(type);
      if (parameters.length > 0) return `${typeName(type)}(${parameters.map(typeText).join(', ')})`;
      return isWrapper(type) ? `wrapper(${typeName(type)})` : typeName(type);
    }
  }
}

/** Like `typeText`, with the names that types have as values, for example `null_type`. */
export function typeNameText(type: CelType): string {
  const parameters = parametersOf(type);
  return parameters.length === 0 ? typeName(type) : `${typeName(type)}(${parameters.map(typeNameText).join(', ')})`;
}

/** Applies a function to the parameters of a type. */
export function mapParameters(type: CelType, change: (parameter: CelType) => CelType): CelType {
  switch (type.kind) {
    case 'list': {
      const items = change(type.items);
      return items === type.items ? type : { ...type, items };
    }
    case 'map': {
      const keys = change(type.keys);
      const values = change(type.values);
      return keys === type.keys && values === type.values ? type : { ...type, keys, values };
    }
    case 'opaque':
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(change) };
    case 'type':
      return type.of === undefined ? type : { ...type, of: change(type.of) };
    default:
      return type;
  }
}

/** The type of the value of a literal. */
export function literalType(value: unknown): CelType {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'string':
      return stringType;
    default:
      return value === null ? nullType : value instanceof Uint8Array ? bytesType : uintType;
  }
}
