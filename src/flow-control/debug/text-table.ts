/** The rows in columns of equal width, their cells separated by commas. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries())
      widths[at] = Math.max(widths[at] ?? minWidth, cell.length + separator.length);
  }
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === row.length - 1 ? cell : `${cell},`.padEnd(widths[at]!))).join('');
  return rows.map((row) => `${line(row)}\n`).join('');
}

const minWidth = 8;
const separator = ', ';
