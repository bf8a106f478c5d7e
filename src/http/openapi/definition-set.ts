import type { GroupVersion } from '../../meta/group-version.ts';
import type { Steps } from '../../meta/turns.ts';
import type { Field, Schema, StructSchema } from '../../schema/model.ts';
import { definitionName } from './definition-name.ts';
import { type Descriptions, describedBy, kindProperties } from './descriptions.ts';
import { type Dialect, type JsonSchema, referenceTo } from './dialect.ts';
import type { GroupVersionKind, KindIndex } from './kind-index.ts';
import type { DocumentType, PublishedType } from './published-type.ts';
import { namedScalars, plainScalars } from './scalar-schemas.ts';

export interface DefinitionSources {
  readonly kinds: KindIndex;
  readonly descriptions: Descriptions;
  /** Selects the group versions of kinds that have several. Default: all. */
  readonly namesVersion?: ((groupVersion: GroupVersion) => boolean) | undefined;
}

/** The definitions of one document: all types that it references, directly or through others. */
export class DefinitionSet {
  readonly #dialect: Dialect;
  readonly #kinds: KindIndex;
  readonly #descriptions: Descriptions;
  readonly #namesVersion: (groupVersion: GroupVersion) => boolean;
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #pending: DocumentType[] = [];

  constructor(dialect: Dialect, { kinds, descriptions, namesVersion = () => true }: DefinitionSources) {
    this.#dialect = dialect;
    this.#kinds = kinds;
    this.#descriptions = descriptions;
    this.#namesVersion = namesVersion;
  }

  /** Returns a reference to the type and adds the type to the document. */
  reference(type: DocumentType): JsonSchema {
    const name = definitionName(type.name);
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, {});
      this.#pending.push(type);
    }
    return referenceTo(name, this.#dialect);
  }

  /** Sorted by name. */
  *all(): Steps<Record<string, JsonSchema>> {
    for (let type = this.#pending.pop(); type !== undefined; type = this.#pending.pop()) {
      this.#definitions.set(definitionName(type.name), this.#definition(type));
      yield;
    }
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The published types only. Those that they refer to are in another part of the document. */
  *published(): Steps<Record<string, JsonSchema>> {
    const definitions: Record<string, JsonSchema> = {};
    for (let type = this.#pending.pop(); type !== undefined; type = this.#pending.pop()) {
      if (type.type === 'published') definitions[definitionName(type.name)] = this.#definition(type);
      yield;
    }
    return definitions;
  }

  #definition(type: DocumentType): JsonSchema {
    return type.type === 'published' ? this.#published(type) : this.#derived(type);
  }

  #published({ published }: PublishedType): JsonSchema {
    return published({
      dialect: this.#dialect,
      descriptions: this.#descriptions,
      reference: (type) => this.reference(type),
      describedReference: (type, text) => ({ ...describedBy(text), ...this.#wrapped(this.reference(type)) }),
    });
  }

  #derived(type: StructSchema): JsonSchema {
    // A value of any JSON type has no further schema.
    const description = describedBy(this.#descriptions.type(type.name));
    if (type.untagged) return description;
    const members = membersOf(type);
    const kinds = this.#kindsOf(type);
    const properties = members.map((member): [string, JsonSchema] => [member.field.name, this.#property(member)]);
    if (this.#kinds.hasKindFields(type)) properties.push(...Object.entries(kindProperties));
    const required = members.filter(({ field }) => field.required).map(({ field }) => field.name);
    return {
      ...description,
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1))) }),
      ...(kinds.length > 0 && { 'x-kubernetes-group-version-kind': kinds }),
      ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
      ...unionMarkers(type),
    };
  }

  #kindsOf(type: StructSchema): readonly GroupVersionKind[] {
    const kinds = this.#kinds.kindsOf(type);
    return kinds.length > 1 ? kinds.filter(this.#namesVersion) : kinds;
  }

  #property({ field, owner }: Member): JsonSchema {
    const { schema, pointer = false, always = false } = field;
    const described = withChoice(this.#value(schema, { zero: always && !pointer, present: !pointer }), field.enum);
    const defaulted = field.default !== undefined && this.#dialect === 'v3' ? { default: field.default } : {};
    return {
      ...describedBy(this.#descriptions.field(owner, field.name)),
      ...this.#wrapped(described),
      ...defaulted,
      ...fieldMarkers(field),
    };
  }

  /** OpenAPI 3.0 ignores siblings of a reference, so the reference moves into `allOf`. */
  #wrapped(described: JsonSchema): JsonSchema {
    if (this.#dialect === 'v2' || described.$ref === undefined) return described;
    return { allOf: [described] };
  }

  #value(schema: Schema, presence: Presence): JsonSchema {
    const element = { zero: true, present: true };
    switch (schema.type) {
      case 'list':
        return { type: 'array', items: this.#value(schema.items, element) };
      case 'map':
        return { type: 'object', additionalProperties: this.#value(schema.values, element) };
      case 'struct': {
        const reference = this.reference(schema);
        return presence.present && this.#dialect === 'v3' && !schema.untagged
          ? { default: {}, allOf: [reference] }
          : reference;
      }
      case 'scalar':
        return this.#scalar(schema.kind, presence);
    }
  }

  #scalar(kind: keyof typeof plainScalars, { zero }: Presence): JsonSchema {
    const plain = plainScalars[kind];
    if (plain !== undefined) {
      const defaulted = zero && plain.zero !== undefined && this.#dialect === 'v3';
      return defaulted ? { ...plain.schema, default: plain.zero } : plain.schema;
    }
    const { name, typeName, schema } = namedScalars[kind]!;
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, { ...describedBy(this.#descriptions.type(typeName)), ...schema(this.#dialect) });
    }
    return referenceTo(name, this.#dialect);
  }
}

/** Which values are never absent. Their schemas have a default. */
interface Presence {
  /** Whether a plain value is never absent. */
  readonly zero: boolean;
  /** Whether a struct is never absent. */
  readonly present: boolean;
}

/** A field and the name of the type that declares it. */
interface Member {
  readonly field: Field;
  readonly owner: string;
}

function membersOf({ name, fields }: StructSchema): Member[] {
  return fields.flatMap((field) =>
    field.inline && field.schema.type === 'struct' ? membersOf(field.schema) : { field, owner: name },
  );
}

/** States the possible values: of the elements when the field is a list. */
function withChoice(described: JsonSchema, choice: Field['enum']): JsonSchema {
  if (choice === undefined) return described;
  const { items } = described;
  const listed = { enum: choice.toSorted() };
  return items === undefined
    ? { ...described, ...listed }
    : { ...described, items: { ...(items as JsonSchema), ...listed } };
}

/** The Kubernetes extensions that state how clients and server merge the field. */
function fieldMarkers({ list, map, patch }: Field): JsonSchema {
  return {
    ...(typeof list === 'string' && { 'x-kubernetes-list-type': list }),
    ...(typeof list === 'object' && { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': list }),
    ...(map !== undefined && { 'x-kubernetes-map-type': map }),
    ...(patch !== undefined && { 'x-kubernetes-patch-strategy': patch.strategies.join(',') }),
    ...(patch?.mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patch.mergeKey }),
  };
}

function unionMarkers({ unions }: StructSchema): JsonSchema {
  if (unions.length === 0) return {};
  return {
    'x-kubernetes-unions': unions.map(({ discriminator, fields }) => ({
      ...(discriminator !== undefined && { discriminator }),
      'fields-to-discriminateBy': fields,
    })),
  };
}
