export interface VisibleRows {
  readonly first: number;
  readonly end: number;
  /** The heights of the spacers that replace the rows before and after. */
  readonly before: number;
  readonly after: number;
}

/** Rows beyond the edges, so that scrolling a little shows no gap. */
const margin = 12;

/** Returns which of many rows of equal height are visible. */
export function visibleRows(at: { count: number; rowHeight: number; top: number; height: number }): VisibleRows {
  const { count, rowHeight, top, height } = at;
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight) - margin));
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + margin);
  return { first, end, before: first * rowHeight, after: Math.max(0, count - end) * rowHeight };
}
