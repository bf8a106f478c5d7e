import { invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest } from '../../meta/status-error.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { Table, TableRow } from '../../schema/table-types.ts';
import type { Bookmark, ListMeta, OpenList, Representation } from './representation.ts';

/** How much of its object a row carries along. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  /** Of the answer. */
  readonly apiVersion: string;
  readonly columns: TableColumns;
  readonly includeObject: IncludeObject;
}

/** Objects as the rows of a Table. */
export class TableRepresentation implements Representation {
  readonly name: string;
  readonly schemas = { one: Table, list: Table, item: TableRow };
  readonly compare: Representation['compare'];
  readonly #options: TableOptions;

  constructor(options: TableOptions) {
    this.#options = options;
    this.name = `Table in ${options.apiVersion} with ${options.includeObject}`;
    this.compare = options.columns.compare;
  }

  one(object: ResourceObject): object {
    return this.event(object, true);
  }

  openList(metadata: ListMeta): OpenList {
    return { value: this.#head(metadata, true), field: 'rows' };
  }

  item(object: ResourceObject): object {
    return this.#row(object, this.#options.includeObject);
  }

  /** The columns are told once. */
  event(object: ResourceObject, isFirst: boolean): object {
    const { resourceVersion } = object.metadata;
    return { ...this.#head({ resourceVersion }, isFirst), rows: [this.item(object)] };
  }

  /** The row of an object about which nothing is known. */
  bookmark(bookmark: Bookmark, isFirst: boolean): object {
    const { resourceVersion, annotations } = bookmark.metadata;
    const { includeObject } = this.#options;
    // The annotation that says that the state is complete gets through in any case.
    const included = includeObject === 'None' && annotations !== undefined ? 'Metadata' : includeObject;
    return { ...this.#head({ resourceVersion }, isFirst), rows: [this.#row(bookmark, included)] };
  }

  #head(metadata: object, withColumns: boolean): object {
    const { apiVersion, columns } = this.#options;
    return { kind: 'Table', apiVersion, metadata, columnDefinitions: withColumns ? columns.definitions : null };
  }

  #row(object: ResourceObject, includeObject: IncludeObject): object {
    const { columns } = this.#options;
    return {
      cells: columns.cells(object, Date.now()),
      conditions: columns.conditions?.(object),
      object: this.#included(object, includeObject),
    };
  }

  #included(object: ResourceObject, includeObject: IncludeObject): object | null {
    if (includeObject === 'None') return null;
    if (includeObject === 'Object') return object;
    return { kind: 'PartialObjectMetadata', apiVersion: this.#options.apiVersion, metadata: object.metadata };
  }
}

/** The value of the query parameter. Throws a 400 when it is none of those that there are. */
export function includeObjectOf(text: string): IncludeObject {
  switch (text) {
    case '':
    case 'Metadata':
      return 'Metadata';
    case 'None':
    case 'Object':
      return text;
    default: {
      const error = invalidValue('includeObject', text, "must be 'Metadata', 'Object', 'None', or empty");
      throw badRequest(`Unable to convert to Table as requested: ${error.field}: ${error.message}`);
    }
  }
}
