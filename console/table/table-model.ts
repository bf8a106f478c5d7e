import type { WatchEvent } from '../api/follow.ts';

/** A `Table` of the API, with the fields that the console reads. */
export interface ApiTable {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly columnDefinitions?: readonly Column[] | null;
  readonly rows?: readonly ApiRow[] | null;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

interface ApiRow {
  readonly cells: readonly unknown[];
  readonly object: {
    readonly metadata: {
      readonly name: string;
      readonly namespace?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly creationTimestamp?: string;
      readonly deletionTimestamp?: string;
    };
  };
}

/** The parts of a row that are kept. The rest of the metadata would use most of the memory. */
export interface Row {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly cells: readonly unknown[];
  /** The creation time in milliseconds, for an age that grows. */
  readonly created: number;
  readonly isDeleting: boolean;
  /** The sort key of the row, apart from its name. */
  rank?: Rank;
}

type Rank = string | number;

export interface Sort {
  /** The name of a column. */
  readonly column: string;
  readonly isDescending: boolean;
}

export interface Shown {
  readonly sort?: Sort | undefined;
  /** Every word of this text must occur in a cell, a label or the namespace of a row. */
  readonly text: string;
}

export function rowOf({ cells, object: { metadata } }: ApiRow): Row {
  const { name, namespace = '', labels, creationTimestamp, deletionTimestamp } = metadata;
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    labels,
    cells,
    created: Date.parse(creationTimestamp ?? ''),
    isDeleting: deletionTimestamp !== undefined,
  };
}

/**
 * The rows of a collection, and the sorted rows that are shown. Applying an event costs little more than finding its
 * row.
 */
export class TableModel {
  columns: readonly Column[] = [];
  /**
   * The rows that are shown, in order. Always the same array: closures of the first rendering of a page would keep
   * another one in memory, with rows that have changed since.
   */
  readonly view: Row[] = [];
  /** The number of rows on the server beyond those that have arrived. */
  remaining = 0;
  readonly #rows = new Map<string, Row>();
  /** The keys in the pages and events of the current list. */
  #seen = new Set<string>();
  #isListing = false;
  #shown: Shown = { text: '' };
  #rankOf: ((row: Row) => Rank) | undefined;
  #isDescending = false;
  #matches: (row: Row) => boolean = () => true;

  get size(): number {
    return this.#rows.size;
  }

  listing(): void {
    this.#isListing = true;
    this.#seen = new Set();
  }

  page(table: ApiTable): void {
    if (table.columnDefinitions) this.#setColumns(table.columnDefinitions);
    this.remaining = table.metadata?.remainingItemCount ?? 0;
    const replaced = new Map<string, Row | undefined>();
    for (const row of table.rows ?? []) {
      const kept = rowOf(row);
      // An event is newer than the page.
      if (this.#seen.has(kept.key)) continue;
      this.#seen.add(kept.key);
      replaced.set(kept.key, this.#rows.get(kept.key));
      this.#rows.set(kept.key, kept);
    }
    this.#replace(replaced);
  }

  listed(): void {
    const gone = [...this.#rows].filter(([key]) => !this.#seen.has(key));
    for (const [key] of gone) this.#rows.delete(key);
    this.#isListing = false;
    this.#seen = new Set();
    this.remaining = 0;
    this.#replace(new Map(gone));
  }

  apply(events: readonly WatchEvent<ApiTable>[]): void {
    const replaced = new Map<string, Row | undefined>();
    for (const { type, object } of events) {
      if (object.columnDefinitions) this.#setColumns(object.columnDefinitions);
      for (const apiRow of object.rows ?? []) {
        const row = rowOf(apiRow);
        if (this.#isListing) this.#seen.add(row.key);
        if (!replaced.has(row.key)) replaced.set(row.key, this.#rows.get(row.key));
        if (type === 'DELETED') this.#rows.delete(row.key);
        else this.#rows.set(row.key, row);
      }
    }
    this.#replace(replaced);
  }

  show(shown: Shown): void {
    const { sort, text } = this.#shown;
    this.#shown = shown;
    this.#setFilter();
    // A longer filter matches a subset of the rows that a shorter one matches, in the same order.
    if (isSameSort(sort, shown.sort) && shown.text.startsWith(text)) {
      this.#fillView(this.view);
      return;
    }
    this.#setOrder();
    this.#fillView(this.#rows.values());
    this.#sortView();
  }

  #setColumns(columns: readonly Column[]): void {
    if (columns === this.columns || JSON.stringify(columns) === JSON.stringify(this.columns)) return;
    this.columns = columns;
    this.#setOrder();
    this.#sortView();
  }

  #setOrder(): void {
    const { sort } = this.#shown;
    this.#rankOf = sort && ranking(sort.column, this.columns);
    this.#isDescending = sort?.isDescending ?? false;
  }

  #setFilter(): void {
    const words = this.#shown.text.toLowerCase().split(/\s+/).filter(Boolean);
    this.#matches = words.length === 0 ? () => true : (row) => words.every((word) => hasWord(row, word));
  }

  /** Shows those of the rows that match. They may be those of the view. */
  #fillView(rows: Iterable<Row>): void {
    const { view } = this;
    let length = 0;
    for (const row of rows) if (this.#matches(row)) view[length++] = row;
    view.length = length;
  }

  #sortView(): void {
    for (const row of this.view) this.#rank(row);
    this.view.sort((a, b) => this.#compare(a, b));
  }

  #rank(row: Row): void {
    row.rank = this.#rankOf?.(row) ?? 0;
  }

  #compare(a: Row, b: Row): number {
    const order = this.#rankOf ? compareRanks(a.rank!, b.rank!) : 0;
    if (order !== 0) return this.#isDescending ? -order : order;
    return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
  }

  /** Replaces the rows with these keys in the view by the current ones. The view is changed in place. */
  #replace(replaced: ReadonlyMap<string, Row | undefined>): void {
    const hidden: number[] = [];
    const revealed: Row[] = [];
    for (const [key, old] of replaced) {
      const index = old ? this.#find(old, this.view.length) : -1;
      if (old && this.view[index] === old) hidden.push(index);
      const row = this.#rows.get(key);
      if (row && this.#matches(row)) revealed.push(row);
    }
    if (hidden.length > 0) this.#hide(hidden.sort((a, b) => a - b));
    if (revealed.length > 0) this.#reveal(revealed);
  }

  #hide(indexes: readonly number[]): void {
    const { view } = this;
    let write = indexes[0]!;
    for (let at = 0; at < indexes.length; at++) {
      const end = indexes[at + 1] ?? view.length;
      for (let read = indexes[at]! + 1; read < end; read++) view[write++] = view[read]!;
    }
    view.length = write;
  }

  #reveal(rows: Row[]): void {
    const { view } = this;
    for (const row of rows) this.#rank(row);
    rows.sort((a, b) => this.#compare(a, b));
    // Works from the end, so that each row moves once.
    let read = view.length;
    for (const row of rows) view.push(row);
    let write = view.length;
    for (const row of rows.reverse()) {
      const place = this.#find(row, read);
      while (read > place) view[--write] = view[--read]!;
      view[--write] = row;
    }
  }

  /** Returns the position of a row, or its insertion point, among the first rows. */
  #find(row: Row, end: number): number {
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.view[middle]!, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isSameSort(a: Sort | undefined, b: Sort | undefined): boolean {
  return a?.column === b?.column && a?.isDescending === b?.isDescending;
}

/** Returns a function for the sort key of rows. The key is computed once for each row, because collation is slow. */
function ranking(column: string, columns: readonly Column[]): ((row: Row) => Rank) | undefined {
  const index = columns.findIndex(({ name }) => name === column);
  // The text of the age is outdated, because it was formatted when the server sent it.
  if (isAge(columns[index])) return ({ created }) => -created || 0;
  if (column === 'Namespace' && index < 0) return ({ namespace }) => naturalOrder(namespace);
  if (index < 0) return undefined;
  return ({ cells }) => {
    const cell = cells[index];
    return typeof cell === 'number' ? cell : naturalOrder(cellText(cell));
  };
}

/** Returns a text that sorts in natural order: numbers by their value, ignoring case. */
function naturalOrder(text: string): string {
  return text
    .toLowerCase()
    .replace(/0*(\d+)/g, (_, digits: string) => String.fromCharCode(0x30 + digits.length) + digits);
}

function compareRanks(a: Rank, b: Rank): number {
  if (a === b) return 0;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : 1;
}

function hasWord(row: Row, word: string): boolean {
  if (row.namespace.includes(word)) return true;
  if (row.cells.some((cell) => cellText(cell).toLowerCase().includes(word))) return true;
  return Object.entries(row.labels ?? {}).some(([key, value]) => `${key}=${value}`.toLowerCase().includes(word));
}

export function isAge(column: Column | undefined): boolean {
  return column?.name === 'Age';
}

export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}
