import type { ObjectIndex, StoredObject } from '../store/index.ts';
import type { ResourceContext } from './resource-context.ts';

const tables = new WeakMap<ResourceContext, FieldTable>();
/** Distinguishes the indexes of a type from those before its definition changed. */
let tablesMade = 0;

/**
 * The values of selectable fields of one served resource, as columns. One parse of an object yields all of them. Fields
 * that are read in the same way share a column.
 */
export class FieldTable {
  /**
   * Returns all columns of an object. It is always the same function, because objects use it as the key of their cached
   * result.
   */
  readonly valuesOf: (object: StoredObject) => readonly string[];
  readonly #columns = new Map<string, number>();
  readonly #indexes = new Map<number, ObjectIndex>();

  /** The table of the resource. It is reused, because a new one would need new indexes. */
  static of(context: ResourceContext): FieldTable {
    const known = tables.get(context);
    if (known !== undefined) return known;
    const made = new FieldTable(context);
    tables.set(context, made);
    return made;
  }

  private constructor(context: ResourceContext) {
    const { fields = {}, indexed = [] } = context.definition.rules.fieldSelectors ?? {};
    const readers = [...new Set(Object.values(fields))];
    for (const [field, reader] of Object.entries(fields)) this.#columns.set(field, readers.indexOf(reader));
    const seen: string[] = [];
    this.valuesOf = (object) => {
      const served = context.codec.read(object);
      return readers.map((read, column) => {
        const value = read(served);
        // Adjacent objects often have equal values, so they share one string.
        if (seen[column] !== value) seen[column] = value;
        return seen[column];
      });
    };
    // An index is updated synchronously while objects change, so reads must be synchronous.
    if (!context.codec.readsAtOnce) return;
    // Only the definitions of types with a converter change.
    const scope = context.definition.storage?.converter === undefined ? '' : ` ${++tablesMade}`;
    for (const field of indexed) this.#addIndex(`${context.apiVersion} ${field}${scope}`, this.column(field));
  }

  /** Returns the column of a field that the type has. */
  column(field: string): number {
    return this.#columns.get(field)!;
  }

  index(column: number): ObjectIndex | undefined {
    return this.#indexes.get(column);
  }

  #addIndex(name: string, column: number): void {
    this.#indexes.set(column, { name, valueOf: (object) => object.values(this.valuesOf)[column]! });
  }
}
