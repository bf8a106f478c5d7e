import type { ObjectIndex, StoredObject } from '../store/index.ts';
import type { ResourceContext } from './resource-context.ts';

const tables = new WeakMap<ResourceContext, FieldTable>();

/**
 * The values by which the objects of one served resource can be selected, as columns. One parse of an object gives all of
 * them. Fields that are read in the same way are one column under several names.
 */
export class FieldTable {
  /** Every column of an object. One and the same function always, because the objects keep its result. */
  readonly valuesOf: (object: StoredObject) => readonly string[];
  readonly #columns = new Map<string, number>();
  readonly #indexes = new Map<number, ObjectIndex>();

  /** The table of the resource: a new one would bring new indexes. */
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
      const served = context.read(object);
      return readers.map((read, column) => {
        const value = read(served);
        // Neighbours often have the same value; they share the string.
        if (seen[column] !== value) seen[column] = value;
        return seen[column];
      });
    };
    for (const field of indexed) this.#addIndex(`${context.apiVersion} ${field}`, this.column(field));
  }

  /** Of a field that the type has. */
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
