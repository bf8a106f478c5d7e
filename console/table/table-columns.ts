import { type Column, cellText, type Row } from './table-model.ts';

export interface ShownColumn {
  readonly name: string;
  readonly description: string;
  /** The index of its cells. Namespace and labels are not cells. */
  readonly index: number;
  readonly isNumber: boolean;
}

const namespaceColumn = { name: 'Namespace', description: 'The namespace of the object.', index: -1, isNumber: false };
const labelsColumn = { name: 'Labels', description: 'The labels of the object.', index: -2, isNumber: false };

/** All columns that a table can show. */
export function offeredColumns(columns: readonly Column[], hasNamespaces: boolean): ShownColumn[] {
  const offered = columns.map(({ name, description = '', type }, index) => ({
    name,
    description,
    index,
    isNumber: type === 'integer' || type === 'number',
  }));
  return [...offered.slice(0, 1), ...(hasNamespaces ? [namespaceColumn] : []), ...offered.slice(1), labelsColumn];
}

/** The columns that the user chose, or those of the first priority. The name is always shown. */
export function shownColumns(
  columns: readonly Column[],
  at: { hasNamespaces: boolean; chosen: string | undefined },
): ShownColumn[] {
  const offered = offeredColumns(columns, at.hasNamespaces);
  const chosen = at.chosen?.split(',');
  return offered.filter(({ name, index }) =>
    chosen ? index === 0 || chosen.includes(name) : index === -1 || (index >= 0 && !columns[index]?.priority),
  );
}

/** Widths in characters, from the first rows. They do not change with later rows, so that the layout is stable. */
export function columnWidths(columns: readonly ShownColumn[], rows: readonly Row[]): number[] {
  return columns.map((column) => {
    const lengths = rows.slice(0, 200).map((row) => textOf(row, column).length);
    const longest = lengths.sort((a, b) => b - a)[Math.floor(lengths.length / 50)] ?? 0;
    const limit = column.index === 0 ? 60 : 40;
    return Math.min(limit, Math.max(column.name.length + 3, longest + 2, column.index === 0 ? 24 : 7));
  });
}

export function textOf(row: Row, { index }: ShownColumn): string {
  if (index === -1) return row.namespace;
  if (index === -2)
    return Object.entries(row.labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(' ');
  return cellText(row.cells[index]);
}
