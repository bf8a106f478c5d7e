export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** The index of the line in its own version. */
  readonly line: number;
}

/** With more changes, the rest is shown as replaced, because finding the smallest difference would take too long. */
const maxEdits = 1000;

/** Returns the smallest set of lines to remove and to add (Myers' algorithm). */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++;
  }
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  return [
    ...before.slice(0, start).map((text, line) => ({ kind: 'same' as const, text, line })),
    ...diffMiddle(a, b).map((entry) => ({ ...entry, line: entry.line + start })),
    ...after
      .slice(after.length - end)
      .map((text, line) => ({ kind: 'same' as const, text, line: after.length - end + line })),
  ];
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace = edits(a, b);
  if (!trace) {
    return [
      ...a.map((text, line) => ({ kind: 'removed' as const, text, line })),
      ...b.map((text, line) => ({ kind: 'added' as const, text, line })),
    ];
  }
  const lines: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let depth = trace.length - 1; depth >= 0; depth--) {
    const furthest = trace[depth]!;
    const diagonal = x - y;
    const isDown =
      diagonal === -depth || (diagonal !== depth && at(furthest, diagonal - 1) < at(furthest, diagonal + 1));
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = depth === 0 ? 0 : at(furthest, previous);
    const fromY = fromX - previous;
    const stopX = depth === 0 ? 0 : isDown ? fromX : fromX + 1;
    while (x > stopX && y > 0 && a[x - 1] === b[y - 1]) {
      x--;
      y--;
      lines.push({ kind: 'same', text: b[y]!, line: y });
    }
    if (depth === 0) break;
    if (isDown) lines.push({ kind: 'added', text: b[fromY]!, line: fromY });
    else lines.push({ kind: 'removed', text: a[fromX]!, line: fromX });
    x = fromX;
    y = fromY;
  }
  return lines.reverse();
}

/** Returns how far each diagonal was reached, for each number of edits. Undefined if there are too many edits. */
function edits(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let depth = 0; depth <= Math.min(a.length + b.length, maxEdits); depth++) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const isDown = diagonal === -depth || (diagonal !== depth && at(next, diagonal - 1) < at(next, diagonal + 1));
      let x = isDown ? at(next, diagonal + 1) : at(next, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return trace;
    }
    furthest = next;
  }
  return undefined;
}

function at(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? -1;
}

export interface Hunk {
  readonly lines: readonly DiffLine[];
  /** The number of unchanged lines that are omitted before this hunk. */
  readonly skipped: number;
}

/** Returns the changes with some lines of context. */
export function hunks(lines: readonly DiffLine[], context = 3): Hunk[] {
  const isNear = lines.map(() => false);
  lines.forEach(({ kind }, index) => {
    if (kind === 'same') return;
    for (let near = Math.max(0, index - context); near <= Math.min(lines.length - 1, index + context); near++)
      isNear[near] = true;
  });
  const found: { lines: DiffLine[]; skipped: number }[] = [];
  let skipped = 0;
  lines.forEach((line, index) => {
    if (!isNear[index]) skipped++;
    else {
      if (skipped > 0 || found.length === 0) found.push({ lines: [], skipped });
      found.at(-1)!.lines.push(line);
      skipped = 0;
    }
  });
  return found;
}
