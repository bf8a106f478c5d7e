import { isExplicitEmpty } from '../../schema/explicit-empty.ts';
import type { Field, ScalarSchema, Schema, StructSchema } from '../../schema/model.ts';
import { internalName, internalOrder, isHeldByValue, type NamedOrder } from './internal-types.ts';

/**
 * Returns a value as kube-apiserver prints it in messages: its internal Go type as JSON, with Go's field names and with
 * empty fields included. Types of the meta group have no internal type and keep their JSON representation.
 */
export function internalValue(schema: Schema, value: unknown): unknown {
  switch (schema.type) {
    case 'scalar':
      return internalScalar(schema, value);
    case 'list':
      return Array.isArray(value) ? value.map((item) => internalValue(schema.items, item)) : null;
    case 'map':
      return internalMap(schema.values, value);
    case 'struct':
      if (schema.name.startsWith('meta/')) return value ?? {};
      return schema.untagged ? untaggedStruct(schema, value) : internalStruct(schema, (value ?? {}) as Values);
  }
}

type Values = Readonly<Record<string, unknown>>;

const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  float64: 0,
  quantity: '0',
  intOrString: 0,
  duration: '0s',
};

function internalScalar({ kind }: ScalarSchema, value: unknown): unknown {
  if (kind === 'json') return sortedJson(value ?? null);
  return typeof value === 'bigint' ? Number(value) : (value ?? zeros[kind] ?? null);
}

/** Arbitrary JSON values are Go maps, which are printed with sorted keys. */
function sortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedJson(inner)]));
}

function internalMap(values: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, internalValue(values, item)]));
}

function internalStruct(schema: StructSchema, value: Values): Values {
  const internal: Record<string, unknown> = {};
  for (const field of inOrder(schema)) addField(internal, { field, type: schema.name, value });
  return internal;
}

interface FieldOf {
  readonly field: Field;
  readonly type: string;
  /** The struct that has the field. */
  readonly value: Values;
}

function addField(internal: Record<string, unknown>, { field, type, value }: FieldOf): void {
  const { name, schema } = field;
  const own = value[name] ?? undefined;
  if (schema.type === 'struct' && schema.name === 'meta/v1.ObjectMeta') Object.assign(internal, own);
  else if (field.inline && schema.type === 'struct') Object.assign(internal, internalStruct(schema, value));
  else if (name === 'securityContext' && schema.type === 'struct' && schema.name.endsWith('.PodSecurityContext')) {
    internal.SecurityContext =
      own === undefined ? null : { ...hostNamespaces(value), ...internalStruct(schema, own as Values) };
  } else {
    internal[internalName(type, name)] = isExplicitEmpty(value, name)
      ? emptyValue(schema)
      : isNullField(field, { type, own })
        ? null
        : internalValue(schema, own);
  }
}

function emptyValue(schema: Schema): unknown {
  return schema.type === 'list' ? [] : {};
}

function isNullField({ name, pointer }: Field, { type, own }: { type: string; own: unknown }): boolean {
  return own === undefined && pointer === true && !isHeldByValue(type, name);
}

/** The internal type has the host namespace fields of the pod spec in the security context. */
function hostNamespaces(spec: Values): Values {
  return {
    HostNetwork: spec.hostNetwork ?? false,
    HostPID: spec.hostPID ?? false,
    HostIPC: spec.hostIPC ?? false,
    ShareProcessNamespace: spec.shareProcessNamespace ?? null,
    HostUsers: spec.hostUsers ?? null,
  };
}

/** The JSON representation is the value of the one field that is set. Go prints the struct with all fields. */
function untaggedStruct(schema: StructSchema, value: unknown): Values {
  const internal: Record<string, unknown> = {};
  for (const { name, schema: own } of schema.fields) {
    if (own.type === 'scalar') internal[name] = value !== false;
    else if (own.type === 'list') internal[name] = internalValue(own, value);
    else internal[name] = isObject(value) ? internalValue(own, value) : null;
  }
  return internal;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ordered = new WeakMap<StructSchema, readonly Field[]>();

function inOrder(schema: StructSchema): readonly Field[] {
  const order = internalOrder(schema.name);
  if (order === undefined) return schema.fields;
  let fields = ordered.get(schema);
  if (fields === undefined) {
    fields = sortedFields(schema, order);
    ordered.set(schema, fields);
  }
  return fields;
}

function sortedFields({ fields }: StructSchema, { first, without }: NamedOrder): readonly Field[] {
  const kept = fields.filter(({ name }) => !without?.includes(name));
  const position = ({ name }: Field) => (first.includes(name) ? first.indexOf(name) : kept.length);
  return kept.toSorted((left, right) => position(left) - position(right));
}
