import type {
  Field,
  FieldOptions,
  ListSchema,
  MapSchema,
  ScalarKind,
  ScalarSchema,
  Schema,
  StructSchema,
  Union,
} from './model.ts';

/**
 * Functions that describe types:
 *
 *     export const ContainerPort = struct('core/v1.ContainerPort', () => ({
 *       name: field(1, string),
 *       containerPort: field(3, int32, { required: true, always: true }),
 *       protocol: field(4, string, { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }),
 *     }));
 */
const scalar = (kind: ScalarKind): ScalarSchema => ({ type: 'scalar', kind });

export const string = scalar('string');
export const bool = scalar('bool');
export const int32 = scalar('int32');
export const int64 = scalar('int64');
export const uint32 = scalar('uint32');
export const float64 = scalar('float64');
export const bytes = scalar('bytes');
export const time = scalar('time');
export const microTime = scalar('microTime');
export const duration = scalar('duration');
export const quantity = scalar('quantity');
export const intOrString = scalar('intOrString');
export const rawExtension = scalar('rawExtension');
export const fieldsV1 = scalar('fieldsV1');
export const json = scalar('json');

/** A string of a named type. Only the messages about values of another type show the name. */
export function namedString(name: string): ScalarSchema {
  return { type: 'scalar', kind: 'string', name };
}

export function listOf(items: Schema): ListSchema {
  return { type: 'list', items };
}

/** A list that is a named type; protobuf wraps it in a message. */
export function namedList(name: string, items: Schema): ListSchema {
  return { type: 'list', items, name };
}

export function mapOf(values: Schema): MapSchema {
  return { type: 'map', values };
}

type FieldEntry = Omit<Field, 'name'>;

export function field(number: number, schema: Schema, options: FieldOptions = {}): FieldEntry {
  return { number, schema, ...options };
}

/** `fields` runs on first use, so that types can refer to each other in any order, and to themselves. */
export function struct(
  name: string,
  fields: () => Record<string, FieldEntry>,
  options: { atomic?: boolean; unions?: readonly Union[]; untagged?: boolean } = {},
): StructSchema {
  let resolved: readonly Field[] | undefined;
  return {
    type: 'struct',
    name,
    get fields() {
      resolved ??= Object.entries(fields()).map(([fieldName, entry]) => ({ name: fieldName, ...entry }));
      return resolved;
    },
    atomic: options.atomic ?? false,
    unions: options.unions ?? [],
    untagged: options.untagged ?? false,
  };
}
