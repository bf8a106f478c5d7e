import type { WatchEvent } from '../api/follow.ts';

/** A `Table` of the API, as far as the console reads it. */
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

/** What is kept of a row. The rest of the metadata would take most of the memory. */
export interface Row {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly cells: readonly unknown[];
  /** Milliseconds, for an age that grows. */
  readonly created: number;
  readonly isDeleting: boolean;
}

export interface Sort {
  /** The name of a column. */
  readonly column: string;
  readonly isDescending: boolean;
}

export interface Shown {
  readonly sort?: Sort | undefined;
  /** Words that a row must have in a cell, a label or its namespace. */
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

const collator = new Intl.Collator('en', { numeric: true });

/** The rows of a collection, and those that are shown in their order. An event costs little more than finding its row. */
export class TableModel {
  columns: readonly Column[] = [];
  /** The rows that are shown, in order. */
  view: Row[] = [];
  /** How many rows the server has beyond those that have come. */
  remaining = 0;
  readonly #rows = new Map<string, Row>();
  /** Keys that a page or an event of the current list has told about. */
  #seen = new Set<string>();
  #isListing = false;
  #shown: Shown = { text: '' };
  #compare: (a: Row, b: Row) => number = byKey;
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
    for (const row of table.rows ?? []) {
      const kept = rowOf(row);
      // An event is newer than the page.
      if (this.#seen.has(kept.key)) continue;
      this.#seen.add(kept.key);
      this.#rows.set(kept.key, kept);
    }
    this.#rebuild();
  }

  listed(): void {
    for (const key of this.#rows.keys()) if (!this.#seen.has(key)) this.#rows.delete(key);
    this.#isListing = false;
    this.#seen = new Set();
    this.remaining = 0;
    this.#rebuild();
  }

  apply(events: readonly WatchEvent<ApiTable>[]): void {
    // Moving single rows is cheaper than sorting, but not if there are many.
    const isSmall = events.length < 16 + this.view.length / 50;
    for (const { type, object } of events) {
      if (object.columnDefinitions) this.#setColumns(object.columnDefinitions);
      for (const apiRow of object.rows ?? []) {
        const row = rowOf(apiRow);
        const old = this.#rows.get(row.key);
        if (this.#isListing) this.#seen.add(row.key);
        if (old && isSmall) this.#hide(old);
        if (type === 'DELETED') this.#rows.delete(row.key);
        else {
          this.#rows.set(row.key, row);
          if (isSmall) this.#reveal(row);
        }
      }
    }
    if (!isSmall) this.#rebuild();
  }

  show(shown: Shown): void {
    this.#shown = shown;
    this.#setOrder();
    this.#rebuild();
  }

  #setColumns(columns: readonly Column[]): void {
    if (JSON.stringify(columns) === JSON.stringify(this.columns)) return;
    this.columns = columns;
    this.#setOrder();
    this.view.sort(this.#compare);
  }

  #setOrder(): void {
    const { sort, text } = this.#shown;
    this.#compare = comparison(sort, this.columns);
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.#matches = words.length === 0 ? () => true : (row) => words.every((word) => hasWord(row, word));
  }

  #rebuild(): void {
    const rows = [...this.#rows.values()].filter(this.#matches);
    this.view = rows.sort(this.#compare);
  }

  #hide(row: Row): void {
    const index = this.#find(row);
    if (this.view[index]?.key === row.key) this.view.splice(index, 1);
  }

  #reveal(row: Row): void {
    if (this.#matches(row)) this.view.splice(this.#find(row), 0, row);
  }

  /** Where a row is or belongs. */
  #find(row: Row): number {
    let low = 0;
    let high = this.view.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.view[middle]!, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function byKey(a: Row, b: Row): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

function comparison(sort: Sort | undefined, columns: readonly Column[]): (a: Row, b: Row) => number {
  if (!sort) return byKey;
  const sign = sort.isDescending ? -1 : 1;
  const index = columns.findIndex(({ name }) => name === sort.column);
  // The age is the text of the moment when the server wrote it.
  if (isAge(columns[index])) return (a, b) => sign * (b.created - a.created || 0) || byKey(a, b);
  if (sort.column === 'Namespace' && index < 0)
    return (a, b) => sign * collator.compare(a.namespace, b.namespace) || byKey(a, b);
  if (index < 0) return byKey;
  return (a, b) => sign * compareCells(a.cells[index], b.cells[index]) || byKey(a, b);
}

function compareCells(a: unknown, b: unknown): number {
  // Most columns have few values, and the collator is slow.
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(cellText(a), cellText(b));
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
