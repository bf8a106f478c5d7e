export interface VisibleRows {
  readonly first: number;
  readonly end: number;
  /** Heights of what stands for the rows before and after. */
  readonly before: number;
  readonly after: number;
}

/** Rows beyond the edges, so that scrolling a little shows no gap. */
const margin = 12;

/** Which of many rows of one height are in sight. */
export function visibleRows(at: { count: number; rowHeight: number; top: number; height: number }): VisibleRows {
  const { count, rowHeight, top, height } = at;
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight) - margin));
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + margin);
  return { first, end, before: first * rowHeight, after: Math.max(0, count - end) * rowHeight };
}
