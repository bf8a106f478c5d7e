import type { ResourceObject } from './object.ts';

/** The definition of a Table column, as clients receive it. */
export interface ColumnDefinition {
  readonly name: string;
  /** The type of the cells. Some columns of type `string` nevertheless contain integers. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** Clients show columns with a priority above 0 only in wide output. */
  readonly priority: number;
}

/** Integers that a number cannot hold exactly are bigints. */
export type Cell = string | number | bigint | boolean | null;

/** A condition of a whole row, which clients may show. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * How a Table shows the objects of a kind. All functions are pure and never throw for a served object.
 */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** Returns the cells in the order of the definitions. `now` is in milliseconds; ages are relative to it. */
  readonly cells: (object: ResourceObject, now: number) => Cell[];
  readonly conditions?: (object: ResourceObject) => readonly RowCondition[] | undefined;
  /**
   * Annotations that represent fields of kube-apiserver's internal type. Output that shows the metadata and no other
   * part of an object does not have them.
   */
  readonly hiddenAnnotations?: ReadonlySet<string>;
  /** Sorts the rows of a list, for kinds whose rows are not in the order of the storage keys. */
  readonly compare?: (left: ResourceObject, right: ResourceObject) => number;
}

export function column(
  name: string,
  description: string,
  options: Partial<Pick<ColumnDefinition, 'type' | 'format' | 'priority'>> = {},
): ColumnDefinition {
  const { type = 'string', format = '', priority = 0 } = options;
  return { name, type, format, description, priority };
}

export const nameText = 'Name of the object.';
export const ageText = 'Time since the object was created.';

/** The first column of nearly every kind. */
export const nameColumn = column('Name', nameText, { format: 'name' });
