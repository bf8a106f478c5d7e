import type { ResourceObject } from './object.ts';

/** A column of a Table, as clients are told of it. */
export interface ColumnDefinition {
  readonly name: string;
  /** Of the cells, though some that are called strings hold integers. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** Columns above 0 are shown only where there is room. */
  readonly priority: number;
}

export type Cell = string | number | boolean | null;

/** Something about a row as a whole that a client may show. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** How the objects of a kind are shown as rows of a Table. All functions are pure, and never throw on a served object. */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** The cells in the order of the definitions. `now` is in milliseconds; ages are counted up to then. */
  readonly cells: (object: ResourceObject, now: number) => Cell[];
  readonly conditions?: (object: ResourceObject) => readonly RowCondition[] | undefined;
  /** The order of the rows of one list, for a kind where it is not that of the keys. */
  readonly compare?: (left: ResourceObject, right: ResourceObject) => number;
}
