import { invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest } from '../../meta/status-error.ts';
import type { TableColumns } from '../../meta/table-columns.ts';
import { Table, TableRow } from '../../schema/table-types.ts';
import type { Bookmark, EventPosition, ListMeta, OpenList, Representation } from './representation.ts';
import { visibleMetadata } from './visible-metadata.ts';

/** How much of its object a row includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  /** The apiVersion of the response. */
  readonly apiVersion: string;
  readonly columns: TableColumns;
  readonly includeObject: IncludeObject;
}

/** Represents objects as rows of a Table. */
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
    return this.event(object, { isFirst: true });
  }

  openList(metadata: ListMeta): OpenList {
    return { value: this.#head(metadata, { isFirst: true }), field: 'rows' };
  }

  item(object: ResourceObject): object {
    return this.#row(object, this.#options.includeObject);
  }

  /** Only the first event carries the column definitions. */
  event(object: ResourceObject, position: EventPosition): object {
    const { resourceVersion } = object.metadata;
    return { ...this.#head({ resourceVersion }, position), rows: [this.item(object)] };
  }

  /** A row for an object that has only metadata. */
  bookmark(bookmark: Bookmark, position: EventPosition): object {
    const { resourceVersion, annotations } = bookmark.metadata;
    const { includeObject } = this.#options;
    // The annotation that marks the end of the initial events is always sent.
    const included = includeObject === 'None' && annotations !== undefined ? 'Metadata' : includeObject;
    return { ...this.#head({ resourceVersion }, position), rows: [this.#row(bookmark, included)] };
  }

  #head(metadata: object, { isFirst }: EventPosition): object {
    const { apiVersion, columns } = this.#options;
    return { kind: 'Table', apiVersion, metadata, columnDefinitions: isFirst ? columns.definitions : null };
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
    const { apiVersion, columns } = this.#options;
    const metadata = visibleMetadata(object.metadata, columns.hiddenAnnotations);
    return { kind: 'PartialObjectMetadata', apiVersion, metadata };
  }
}

/** Parses the query parameter. Throws a 400 for an unknown value. */
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
