import type { Field, Schema, StructSchema } from '../model.ts';
import { isObject } from '../normalize/type-mismatch.ts';
import { type JsonSchema, someSchema } from './json-schema.ts';

/** `path` returns the path of the value: `spec.list[0].map[key]`. */
type Visitor = (schema: Schema, value: unknown, path: () => string) => void;

interface ValuePath {
  readonly parent: ValuePath | undefined;
  readonly segment: string | number;
}

interface Visit {
  readonly path: ValuePath | undefined;
  readonly visit: Visitor;
}

/** Finds the values of the nodes for which the predicate holds. Skips parts of the schema that have no such nodes. */
export class NodeSearch {
  readonly #predicate: (schema: JsonSchema) => boolean;
  /** Whether there are such nodes in a schema. */
  readonly #found = new WeakMap<JsonSchema, boolean>();
  readonly #fields = new WeakMap<StructSchema, readonly Field[]>();

  constructor(predicate: (schema: JsonSchema) => boolean) {
    this.#predicate = predicate;
  }

  visit(schema: Schema, value: unknown, visit: Visitor): void {
    this.#visitNode(schema, value, { path: undefined, visit });
  }

  #isInside({ structural }: Schema): boolean {
    if (structural === undefined) return false;
    let found = this.#found.get(structural.source);
    if (found === undefined) {
      found = someSchema(structural.source, this.#predicate);
      this.#found.set(structural.source, found);
    }
    return found;
  }

  #visitNode(schema: Schema, value: unknown, { path, visit }: Visit): void {
    if (typeof value !== 'object' || value === null || !this.#isInside(schema)) return;
    if (this.#predicate(schema.structural!.source)) visit(schema, value, () => pathOf(path));
    if (Array.isArray(value)) {
      if (schema.type !== 'list' || !this.#isInside(schema.items)) return;
      for (let index = 0; index < value.length; index++) {
        this.#visitNode(schema.items, value[index], { path: { parent: path, segment: index }, visit });
      }
    } else if (isObject(value)) {
      if (schema.type === 'struct') this.#visitFields(schema, value, { path, visit });
      else if (schema.type === 'map' && this.#isInside(schema.values)) {
        for (const key of Object.keys(value)) {
          this.#visitNode(schema.values, value[key], { path: { parent: path, segment: `[${key}]` }, visit });
        }
      }
    }
  }

  #visitFields(schema: StructSchema, value: Readonly<Record<string, unknown>>, { path, visit }: Visit): void {
    let fields = this.#fields.get(schema);
    if (fields === undefined) {
      fields = schema.fields.filter((field) => this.#isInside(field.schema));
      this.#fields.set(schema, fields);
    }
    for (const { name, schema: own } of fields) {
      if (!Object.hasOwn(value, name)) continue;
      this.#visitNode(own, value[name], { path: { parent: path, segment: name }, visit });
    }
  }
}

function pathOf(path: ValuePath | undefined): string {
  if (path === undefined) return '';
  const { parent, segment } = path;
  if (typeof segment === 'number') return `${pathOf(parent)}[${segment}]`;
  return parent === undefined || segment.startsWith('[') ? pathOf(parent) + segment : `${pathOf(parent)}.${segment}`;
}
