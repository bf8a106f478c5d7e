import { describe, expect, it } from 'vitest';
import { columnWidths, shownColumns } from './table-columns.ts';
import { rowOf } from './table-model.ts';
import { visibleRows } from './visible-rows.ts';

const columns = [
  { name: 'Name', type: 'string', priority: 0 },
  { name: 'Ready', type: 'integer', priority: 0 },
  { name: 'Image', type: 'string', priority: 1 },
];

describe('shownColumns', () => {
  it.each([
    [{ hasNamespaces: false, chosen: undefined }, ['Name', 'Ready']],
    [{ hasNamespaces: true, chosen: undefined }, ['Name', 'Namespace', 'Ready']],
    [{ hasNamespaces: true, chosen: 'Image,Labels' }, ['Name', 'Image', 'Labels']],
    [{ hasNamespaces: false, chosen: 'Missing' }, ['Name']],
  ])('returns the columns for %j', (at, expected) => {
    expect(shownColumns(columns, at).map(({ name }) => name)).toEqual(expected);
  });
});

describe('columnWidths', () => {
  it('fits the text, within limits', () => {
    const row = rowOf({ cells: ['x'.repeat(200), 1, 'short'], object: { metadata: { name: 'x' } } });
    expect(columnWidths(shownColumns(columns, { hasNamespaces: false, chosen: 'Ready,Image' }), [row])).toEqual([
      60, 8, 8,
    ]);
  });
});

describe('visibleRows', () => {
  it.each([
    [
      { count: 0, rowHeight: 32, top: 0, height: 800 },
      { first: 0, end: 0, before: 0, after: 0 },
    ],
    [
      { count: 10, rowHeight: 32, top: 0, height: 800 },
      { first: 0, end: 10, before: 0, after: 0 },
    ],
    [
      { count: 100_000, rowHeight: 32, top: 3_200, height: 640 },
      { first: 88, end: 132, before: 2816, after: 3_195_776 },
    ],
    [
      { count: 5, rowHeight: 32, top: 90_000, height: 640 },
      { first: 5, end: 5, before: 160, after: 0 },
    ],
  ])('returns the rows for %j', (at, expected) => {
    expect(visibleRows(at)).toEqual(expected);
  });
});
