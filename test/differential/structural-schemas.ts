import type { Random } from '../codec/random.ts';
import type { Json, JsonObject } from '../invariants/json.ts';

/** Generates schemas of custom types, and values for them. Most of both are valid. */
export class StructuralSchemas {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** An object with some fields that are objects, lists and maps themselves. */
  object(depth: number): JsonObject {
    const random = this.#random;
    const names = ['a', 'b', 'c', 'name', 'x-y'].slice(0, 2 + random.below(4));
    const properties = Object.fromEntries(names.map((name) => [name, this.#withDefault(this.#schema(depth - 1))]));
    return {
      type: 'object',
      properties,
      ...this.#maybe(0.3, { required: names.filter(() => random.chance(0.3)) }),
      ...this.#maybe(0.1, { 'x-kubernetes-preserve-unknown-fields': true }),
      ...this.#maybe(0.1, { 'x-kubernetes-map-type': random.pick(['atomic', 'granular', 'odd']) }),
      ...this.#maybe(0.1, { nullable: true }),
      ...this.#maybe(0.1, { maxProperties: 2 }),
    };
  }

  /** A value that the schema probably accepts. */
  value(schema: JsonObject): Json {
    const random = this.#random;
    if (random.chance(0.04)) return random.pick<Json>([null, 'odd', -1, 2.5, [], {}, true, [null], { odd: 1 }]);
    if (Array.isArray(schema.enum)) return random.pick(schema.enum);
    if (schema['x-kubernetes-int-or-string'] === true) return random.pick<Json>([1, '50%', 0]);
    switch (schema.type) {
      case 'object':
        return this.#objectValue(schema);
      case 'array':
        return Array.from({ length: random.below(4) }, () => this.value(schema.items as JsonObject));
      case 'string':
        return random.pick(formatted[String(schema.format)] ?? ['x', 'y', '', 'long text', 'ünïcode', 'x']);
      case 'boolean':
        return random.chance(0.5);
      case 'number':
        return random.pick([0, 1, -1, 1.5, 1e20, 100]);
      default:
        return random.pick([0, 1, 2, 5, -1, 2 ** 31, 2 ** 53]);
    }
  }

  #objectValue({ properties, additionalProperties, required }: JsonObject): JsonObject {
    const random = this.#random;
    if (typeof additionalProperties === 'object') {
      const keys = ['k', 'l', 'm'].slice(0, random.below(4));
      return Object.fromEntries(keys.map((key) => [key, this.value(additionalProperties as JsonObject)]));
    }
    const names = Object.keys((properties ?? {}) as JsonObject).filter(
      (name) => random.chance(0.7) || (Array.isArray(required) && required.includes(name)),
    );
    return {
      ...Object.fromEntries(names.map((name) => [name, this.value((properties as JsonObject)[name] as JsonObject)])),
      ...this.#maybe(0.05, { unknown: 'x' }),
    };
  }

  #schema(depth: number): JsonObject {
    const random = this.#random;
    switch (random.below(depth > 0 ? 12 : 8)) {
      case 0:
        return {
          type: 'integer',
          ...this.#numeric(),
          ...this.#maybe(0.2, { format: random.pick(['int32', 'int64']) }),
        };
      case 1:
        return { type: 'number', ...this.#numeric(), ...this.#maybe(0.2, { format: 'double' }) };
      case 2:
        return { type: 'boolean' };
      case 3:
        return { type: 'string', format: random.pick(Object.keys(formatted)) };
      case 4:
        return { type: 'string', enum: ['x', 'y', 'z'] };
      case 5:
        return { 'x-kubernetes-int-or-string': true };
      case 6:
      case 7:
        return { type: 'string', ...this.#textual() };
      case 8:
        return {
          type: 'object',
          additionalProperties: this.#schema(depth - 1),
          ...this.#maybe(0.3, { maxProperties: 2 }),
        };
      case 9:
      case 10:
        return this.#list(depth);
      default:
        return this.object(depth);
    }
  }

  #list(depth: number): JsonObject {
    const random = this.#random;
    const limits = { ...this.#maybe(0.3, { maxItems: 2 }), ...this.#maybe(0.1, { uniqueItems: false }) };
    switch (random.below(4)) {
      case 0:
        return {
          ...{ type: 'array', ...limits, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, value: this.#schema(depth - 1) },
          },
        };
      case 1:
        return { type: 'array', ...limits, 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
      default:
        return { type: 'array', ...limits, items: this.#schema(depth - 1) };
    }
  }

  #numeric(): JsonObject {
    return {
      ...this.#maybe(0.3, { minimum: 0 }),
      ...this.#maybe(0.3, { maximum: 5, ...this.#maybe(0.5, { exclusiveMaximum: true }) }),
      ...this.#maybe(0.2, { multipleOf: 2 }),
    };
  }

  #textual(): JsonObject {
    return {
      ...this.#maybe(0.3, { maxLength: 4 }),
      ...this.#maybe(0.2, { minLength: 1 }),
      ...this.#maybe(0.2, { pattern: this.#random.pick(['^x', '[a-z]+$', '^(x|y)*$', '(']) }),
    };
  }

  #withDefault(schema: JsonObject): JsonObject {
    return this.#random.chance(0.25) ? { ...schema, default: this.value(schema) } : schema;
  }

  #maybe(probability: number, fields: JsonObject): JsonObject {
    return this.#random.chance(probability) ? fields : {};
  }
}

/** Texts of each format, the last one of another. */
const formatted: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-05-01T00:00:00Z', '2024-05-01T00:00:00.5+02:00', 'yesterday'],
  date: ['2024-05-01', '2024-05-32'],
  duration: ['1h', '1m30s', '1 day', 'long'],
  email: ['a@example.com', 'a'],
  ipv4: ['10.1.2.3', '10.1.2'],
  ipv6: ['2001:db8::1', '::g'],
  cidr: ['10.0.0.0/8', '10.0.0.0'],
  hostname: ['example.com', '-x-'],
  uri: ['https://example.com/a', 'a b'],
  uuid: ['0b1f4c2e-0000-4000-8000-000000000001', '0b1f'],
  byte: ['eA==', '!'],
  mac: ['00:00:5e:00:53:01', '00'],
  odd: ['x'],
};
