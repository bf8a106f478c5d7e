import { isObject, type Path } from './path.ts';

/** An OpenAPI v3 schema, with the fields that the console reads. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** The schemas of a group and version. References are resolved on demand, so types may be recursive. */
export class Schemas {
  readonly #byName: Readonly<Record<string, Schema>>;

  constructor(document: OpenApiDocument) {
    this.#byName = document.components?.schemas ?? {};
  }

  ofKind(type: { group: string; version: string; kind: string }): Schema | undefined {
    return Object.values(this.#byName).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(
        ({ group, version, kind }) => group === type.group && version === type.version && kind === type.kind,
      ),
    );
  }

  /** A schema without references. A reference wrapped for a description or a default keeps those. */
  resolve(schema: Schema | undefined, depth = 0): Schema | undefined {
    if (!schema || depth > 20) return undefined;
    if (schema.$ref !== undefined) {
      const name = schema.$ref.slice('#/components/schemas/'.length);
      return Object.hasOwn(this.#byName, name) ? this.resolve(this.#byName[name], depth + 1) : undefined;
    }
    if (schema.allOf?.length === 1) {
      const { allOf, ...own } = schema;
      const inner = this.resolve(allOf[0], depth + 1);
      return inner && { ...inner, ...own };
    }
    return schema;
  }

  child(schema: Schema, segment: string | number): Schema | undefined {
    if (typeof segment === 'number') return this.resolve(schema.items);
    if (schema.properties && Object.hasOwn(schema.properties, segment)) return this.resolve(schema.properties[segment]);
    return isObject(schema.additionalProperties) ? this.resolve(schema.additionalProperties as Schema) : undefined;
  }

  at(schema: Schema, path: Path): Schema | undefined {
    let current: Schema | undefined = this.resolve(schema);
    for (const segment of path) current = current && this.child(current, segment);
    return current;
  }
}

/** Returns a type for display: `string`, `list of integer`, `map of string`. */
export function typeName(schemas: Schemas, schema: Schema | undefined): string {
  const resolved = schemas.resolve(schema);
  if (!resolved) return 'any';
  if (isIntOrString(resolved)) return 'integer or string';
  if (resolved.type === 'array') return `list of ${typeName(schemas, resolved.items)}`;
  if (isObject(resolved.additionalProperties))
    return `map of ${typeName(schemas, resolved.additionalProperties as Schema)}`;
  return resolved.type ?? 'any';
}

export function isIntOrString(schema: Schema): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string';
}
