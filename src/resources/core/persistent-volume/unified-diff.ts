const context = 3;

/** The difference of two values, by lines of their indented JSON, as it stands in messages about immutable fields. */
export function unifiedDiff(before: unknown, after: unknown): string {
  const left = linesOf(before);
  const right = linesOf(after);
  return hunks(changes(left, right))
    .map((hunk) => hunkText(hunk, left, right))
    .join('');
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function linesOf(value: unknown): string[] {
  return JSON.stringify(value ?? null, undefined, 1)
    .replace(/[<>&\u2028\u2029]/g, (character) => escapes[character]!)
    .split('\n');
}

/** Lines `leftFrom..leftTo` are replaced by `rightFrom..rightTo`; either may be none. */
interface Change {
  readonly leftFrom: number;
  readonly leftTo: number;
  readonly rightFrom: number;
  readonly rightTo: number;
}

interface Match {
  readonly left: number;
  readonly right: number;
  readonly size: number;
}

function changes(left: readonly string[], right: readonly string[]): Change[] {
  const found: Change[] = [];
  let leftFrom = 0;
  let rightFrom = 0;
  for (const match of [...matches(left, right), { left: left.length, right: right.length, size: 0 }]) {
    if (leftFrom < match.left || rightFrom < match.right) {
      found.push({ leftFrom, leftTo: match.left, rightFrom, rightTo: match.right });
    }
    leftFrom = match.left + match.size;
    rightFrom = match.right + match.size;
  }
  return found;
}

/** The longest common run of lines, then the same on both sides of it: not the shortest difference, but the expected one. */
function matches(left: readonly string[], right: readonly string[]): Match[] {
  const places = new Map<string, number[]>();
  for (const [index, line] of right.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  const found: Match[] = [];
  const search = (area: Change): void => {
    const match = longestMatch(left, places, area);
    if (match.size === 0) return;
    search({ ...area, leftTo: match.left, rightTo: match.right });
    found.push(match);
    search({ ...area, leftFrom: match.left + match.size, rightFrom: match.right + match.size });
  };
  search({ leftFrom: 0, leftTo: left.length, rightFrom: 0, rightTo: right.length });
  return found;
}

function longestMatch(left: readonly string[], places: ReadonlyMap<string, readonly number[]>, area: Change): Match {
  let best: Match = { left: area.leftFrom, right: area.rightFrom, size: 0 };
  let runs = new Map<number, number>();
  for (let index = area.leftFrom; index < area.leftTo; index++) {
    const next = new Map<number, number>();
    for (const place of places.get(left[index]!) ?? []) {
      if (place < area.rightFrom || place >= area.rightTo) continue;
      const size = (runs.get(place - 1) ?? 0) + 1;
      next.set(place, size);
      if (size > best.size) best = { left: index - size + 1, right: place - size + 1, size };
    }
    runs = next;
  }
  return best;
}

/** Changes whose surroundings touch are shown together. */
function hunks(found: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let last: Change | undefined;
  for (const change of found) {
    if (last !== undefined && change.leftFrom - last.leftTo <= 2 * context) groups.at(-1)!.push(change);
    else groups.push([change]);
    last = change;
  }
  return groups;
}

function hunkText(hunk: readonly Change[], left: readonly string[], right: readonly string[]): string {
  const first = hunk[0]!;
  const last = hunk.at(-1)!;
  const before = Math.min(context, first.leftFrom);
  const after = Math.min(context, left.length - last.leftTo);
  const lines: string[] = [];
  let position = first.leftFrom - before;
  for (const change of hunk) {
    for (; position < change.leftFrom; position++) lines.push(` ${left[position]}`);
    for (; position < change.leftTo; position++) lines.push(`-${left[position]}`);
    for (let index = change.rightFrom; index < change.rightTo; index++) lines.push(`+${right[index]}`);
  }
  for (const end = position + after; position < end; position++) lines.push(` ${left[position]}`);
  const leftRange = range(first.leftFrom - before, last.leftTo + after);
  const rightRange = range(first.rightFrom - before, last.rightTo + after);
  return `@@ -${leftRange} +${rightRange} @@\n${lines.map((line) => `${line}\n`).join('')}`;
}

function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}
