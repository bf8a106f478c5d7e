import type { Field, ScalarKind, Schema, StructSchema } from '../../src/schema/model.ts';
import { jsonFields } from '../../src/schema/normalize/struct-fields.ts';
import type { Random } from '../codec/random.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Texts that have a meaning in fields with this name, in addition to those of the corpus. */
const texts: Readonly<Record<string, readonly string[]>> = {
  name: ['one', 'two'],
  namespace: ['corpus', 'default'],
  uid: ['0b1f4c2e-0000-4000-8000-000000000001', '0b1f4c2e-0000-4000-8000-000000000002'],
  apiVersion: ['v1', 'apps/v1'],
  kind: ['Pod', 'ConfigMap'],
  apiGroup: ['', 'rbac.authorization.k8s.io'],
  resource: ['pods', 'limits.cpu'],
  operator: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Equal', 'Gt'],
  effect: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  protocol: ['TCP', 'UDP', 'SCTP'],
  status: ['True', 'False', 'Unknown'],
  type: ['Ready', 'Opaque', 'RuntimeDefault', 'Available'],
  path: ['/data', 'data'],
  mountPath: ['/mnt/a', '/mnt/b'],
  devicePath: ['/dev/a', '/dev/b'],
  ip: ['10.1.2.3', '2001:db8::1'],
  hostIP: ['10.1.2.4', '2001:db8::2'],
  podIP: ['10.1.2.5', '2001:db8::3'],
  cidr: ['10.1.0.0/16', '2001:db8::/64'],
  cidrs: ['10.1.0.0/16', '2001:db8::/64'],
  hostname: ['host-a', 'host-b'],
  host: ['a.example.com', 'b.example.com'],
  topologyKey: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
  key: ['color', 'example.com/size'],
  reason: ['Started', 'Stopped'],
  message: ['a message', 'another message'],
  lastTransitionTime: ['2024-05-01T00:00:00Z', '2024-06-01T00:00:00Z'],
  fieldPath: ['metadata.name', 'status.hostIP'],
  driver: ['driver.example.com', 'csi.example.com'],
  signerName: ['example.com/signer', 'kubernetes.io/kubelet-serving'],
  url: ['https://example.com/hook', 'http://example.com'],
  expression: ['true', 'object.metadata.name == "a"'],
};

const scalars: Readonly<Record<ScalarKind, readonly Json[]>> = {
  string: ['one', 'two'],
  bool: [true, false],
  int32: [1, 2, 80],
  int64: [1, 2, 600],
  uint32: [1, 2],
  float64: [1, 0.5],
  bytes: ['eA==', 'eHl6'],
  time: ['2024-05-01T00:00:00Z', '2024-06-01T10:00:00Z'],
  microTime: ['2024-05-01T00:00:00.000000Z', '2024-06-01T00:00:00.000001Z'],
  duration: ['1h0m0s', '30s'],
  quantity: ['1', '500m', '2Gi'],
  intOrString: [1, '50%', 80],
  rawExtension: [{ apiVersion: 'example.com/v1', kind: 'Thing', size: 1 }, { a: 'b' }],
  fieldsV1: [{ 'f:metadata': {} }],
  json: [{ a: 1 }, 'x', 3],
};

/** The values of fields in valid objects. */
export class KnownValues {
  /** Values by type and field. */
  readonly #values = new Map<string, Json[]>();
  /** Texts by field. */
  readonly #texts = new Map<string, Json[]>();

  learn(schema: Schema, value: Json | undefined): void {
    if (schema.type === 'list' && Array.isArray(value)) for (const item of value) this.learn(schema.items, item);
    if (!isObject(value)) return;
    if (schema.type === 'map') for (const item of Object.values(value)) this.learn(schema.values, item);
    if (schema.type !== 'struct' || schema.untagged === true) return;
    for (const field of jsonFields(schema)) {
      const member = value[field.name];
      if (member === undefined || member === null) continue;
      remember(this.#values, `${schema.name}.${field.name}`, member);
      if (typeof member === 'string') remember(this.#texts, field.name, member);
      this.learn(field.schema, member);
    }
  }

  of(owner: StructSchema | undefined, field: Field | undefined): readonly Json[] {
    if (owner === undefined || field === undefined) return [];
    return this.#values.get(`${owner.name}.${field.name}`) ?? [];
  }

  texts(field: Field): readonly Json[] | undefined {
    return this.#texts.get(field.name);
  }
}

/** Values that a kind may accept: from its schema, from valid objects, and by the name of a field. */
export class PlausibleValues {
  readonly #random: Random;
  readonly known: KnownValues;

  constructor(random: Random, known: KnownValues) {
    this.#random = random;
    this.known = known;
  }

  /** Returns a value of the schema with only the required fields of its types. */
  smallest(schema: Schema, field?: Field, owner?: StructSchema): Json {
    return this.#value(schema, { field, owner, density: 0, outer: [] });
  }

  /** Returns a value of the schema with some of the optional fields. */
  some(schema: Schema, field?: Field, owner?: StructSchema): Json {
    return this.#value(schema, { field, owner, density: 0.3, outer: [] });
  }

  #value(schema: Schema, context: ValueContext): Json {
    const { field, owner, outer } = context;
    const known = this.known.of(owner, field);
    if (known.length > 0 && this.#random.chance(0.7)) return structuredClone(this.#random.pick(known));
    const inner = { ...context, field, owner: undefined };
    switch (schema.type) {
      case 'scalar':
        return structuredClone(this.#random.pick(this.#choice(schema.kind, field)));
      case 'list':
        return [this.#value(schema.items, inner)];
      case 'map':
        return { key: this.#value(schema.values, inner) };
      case 'struct':
        if (schema.untagged === true) return true;
        return outer.includes(schema) ? {} : this.#struct(schema, context);
    }
  }

  #struct(schema: StructSchema, { density, outer }: ValueContext): JsonObject {
    const object: JsonObject = {};
    for (const field of jsonFields(schema)) {
      if (field.required !== true && !this.#random.chance(density)) continue;
      object[field.name] = this.#value(field.schema, {
        field,
        owner: schema,
        density: density / 2,
        outer: [...outer, schema],
      });
    }
    return object;
  }

  #choice(kind: ScalarKind, field: Field | undefined): readonly Json[] {
    if (field?.enum !== undefined) return field.enum;
    if (kind !== 'string' || field === undefined) return scalars[kind];
    return texts[field.name] ?? this.known.texts(field) ?? scalars.string;
  }
}

interface ValueContext {
  readonly field: Field | undefined;
  readonly owner: StructSchema | undefined;
  /** The share of the optional fields that are set. It is halved at each level. */
  readonly density: number;
  readonly outer: readonly StructSchema[];
}

/** Enough values for variety, but not so many that a field with many values in the corpus takes too long. */
const maxKnown = 6;

function remember(known: Map<string, Json[]>, name: string, value: Json): void {
  const values = known.get(name) ?? [];
  known.set(name, values);
  if (values.length >= maxKnown || values.some((other) => JSON.stringify(other) === JSON.stringify(value))) return;
  values.push(value);
}
