import type { Field, Schema, StructSchema } from '../../schema/model.ts';
import { definitionName } from './definition-name.ts';
import { type Dialect, type JsonSchema, referenceTo } from './dialect.ts';
import { fieldMarkers, unionMarkers } from './field-markers.ts';
import type { KindIndex } from './kind-index.ts';
import { namedScalars, plainScalars } from './scalar-schemas.ts';

/** The definitions of one document: those that it refers to, and whatever these refer to. */
export class DefinitionSet {
  readonly #dialect: Dialect;
  readonly #kinds: KindIndex;
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #pending: StructSchema[] = [];

  constructor(dialect: Dialect, kinds: KindIndex) {
    this.#dialect = dialect;
    this.#kinds = kinds;
  }

  /** A reference to the type, which thereby belongs to the document. */
  reference(type: StructSchema): JsonSchema {
    const name = definitionName(type.name);
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, {});
      this.#pending.push(type);
    }
    return referenceTo(name, this.#dialect);
  }

  /** Sorted by name. */
  all(): Record<string, JsonSchema> {
    for (let type = this.#pending.pop(); type !== undefined; type = this.#pending.pop()) {
      this.#definitions.set(definitionName(type.name), this.#definition(type));
    }
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #definition(type: StructSchema): JsonSchema {
    // Whatever the JSON type of the value: there is nothing to say about it.
    if (type.untagged) return {};
    const fields = flatten(type.fields);
    const kinds = this.#kinds.kindsOf(type);
    const properties = fields.map((field): [string, JsonSchema] => [field.name, this.#property(field)]);
    if (kinds.length > 0) properties.push(['apiVersion', { type: 'string' }], ['kind', { type: 'string' }]);
    const required = fields.filter((field) => field.required).map(({ name }) => name);
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1))) }),
      ...(kinds.length > 0 && { 'x-kubernetes-group-version-kind': kinds }),
      ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
      ...unionMarkers(type),
    };
  }

  #property(field: Field): JsonSchema {
    const { schema, pointer = false, always = false } = field;
    const described = this.#value(schema, { zero: always && !pointer, present: !pointer });
    const defaulted = field.default !== undefined && this.#dialect === 'v3' ? { default: field.default } : {};
    return {
      ...this.#wrapped(described),
      ...defaulted,
      ...(field.enum && { enum: field.enum.toSorted() }),
      ...fieldMarkers(field),
    };
  }

  /** OpenAPI 3.0 ignores what stands beside a reference, so the reference moves into `allOf`. */
  #wrapped(described: JsonSchema): JsonSchema {
    if (this.#dialect === 'v2' || described.$ref === undefined) return described;
    return { allOf: [described] };
  }

  /** `zero`: a plain value is never absent; `present`: neither is a struct. Their defaults tell so. */
  #value(schema: Schema, { zero, present }: { zero: boolean; present: boolean }): JsonSchema {
    const element = { zero: true, present: true };
    switch (schema.type) {
      case 'list':
        return { type: 'array', items: this.#value(schema.items, element) };
      case 'map':
        return { type: 'object', additionalProperties: this.#value(schema.values, element) };
      case 'struct': {
        const reference = this.reference(schema);
        return present && this.#dialect === 'v3' && !schema.untagged ? { default: {}, allOf: [reference] } : reference;
      }
      case 'scalar':
        return this.#scalar(schema.kind, zero);
    }
  }

  #scalar(kind: keyof typeof plainScalars, zero: boolean): JsonSchema {
    const plain = plainScalars[kind];
    if (plain !== undefined) {
      const defaulted = zero && plain.zero !== undefined && this.#dialect === 'v3';
      return defaulted ? { ...plain.schema, default: plain.zero } : plain.schema;
    }
    const { name, schema } = namedScalars[kind]!;
    if (!this.#definitions.has(name)) this.#definitions.set(name, schema(this.#dialect));
    return referenceTo(name, this.#dialect);
  }
}

function flatten(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) =>
    field.inline && field.schema.type === 'struct' ? flatten(field.schema.fields) : field,
  );
}
