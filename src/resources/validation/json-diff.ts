import { withLongNumbers } from '../../meta/field-error.ts';

/** From this number of lines on, frequent lines are not used to start a common block. */
const longText = 200;
const contextLines = 3;

interface Block {
  readonly left: number;
  readonly right: number;
  readonly size: number;
}

interface Change {
  readonly equal: boolean;
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

/**
 * Returns the unified diff of two JSON values. The algorithm is the one that kube-apiserver uses, so that the output is
 * the same: find the longest common block, then repeat before and after it.
 */
export function jsonDiff(left: unknown, right: unknown): string {
  const leftLines = lines(left);
  const rightLines = lines(right);
  const changes = changesOf(leftLines, rightLines);
  return hunks(changes)
    .map((hunk) => printHunk(hunk, leftLines, rightLines))
    .join('');
}

function lines(value: unknown): string[] {
  const text = JSON.stringify(value ?? null, withLongNumbers, 1);
  // Go escapes these characters in JSON so that it can be embedded in HTML.
  return text
    .replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .split('\n');
}

function changesOf(left: readonly string[], right: readonly string[]): Change[] {
  const changes: Change[] = [];
  let leftEnd = 0;
  let rightEnd = 0;
  for (const { left: start, right: otherStart, size } of commonBlocks(left, right)) {
    if (start > leftEnd || otherStart > rightEnd) {
      changes.push({ equal: false, left: [leftEnd, start], right: [rightEnd, otherStart] });
    }
    leftEnd = start + size;
    rightEnd = otherStart + size;
    if (size > 0) changes.push({ equal: true, left: [start, leftEnd], right: [otherStart, rightEnd] });
  }
  return changes;
}

/** Returns the common blocks in order, with adjacent blocks joined and an empty block at the end. */
function commonBlocks(left: readonly string[], right: readonly string[]): Block[] {
  const found = new BlockFinder(left, right).find();
  const joined: Block[] = [];
  for (const block of found) {
    const last = joined.at(-1);
    if (last !== undefined && last.left + last.size === block.left && last.right + last.size === block.right) {
      joined[joined.length - 1] = { ...last, size: last.size + block.size };
    } else {
      joined.push(block);
    }
  }
  joined.push({ left: left.length, right: right.length, size: 0 });
  return joined;
}

class BlockFinder {
  readonly #left: readonly string[];
  readonly #right: readonly string[];
  readonly #positions = new Map<string, number[]>();

  constructor(left: readonly string[], right: readonly string[]) {
    this.#left = left;
    this.#right = right;
    for (const [index, line] of right.entries()) {
      const positions = this.#positions.get(line);
      if (positions === undefined) this.#positions.set(line, [index]);
      else positions.push(index);
    }
    if (right.length < longText) return;
    const max = Math.floor(right.length / 100) + 1;
    for (const [line, positions] of this.#positions) if (positions.length > max) this.#positions.delete(line);
  }

  find(): Block[] {
    const found: Block[] = [];
    const pending: [number, number, number, number][] = [[0, this.#left.length, 0, this.#right.length]];
    for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
      const [leftStart, leftEnd, rightStart, rightEnd] = range;
      const block = this.#longest(range);
      if (block.size === 0) continue;
      found.push(block);
      pending.push([leftStart, block.left, rightStart, block.right]);
      pending.push([block.left + block.size, leftEnd, block.right + block.size, rightEnd]);
    }
    return found.sort((one, other) => one.left - other.left || one.right - other.right);
  }

  #longest([leftStart, leftEnd, rightStart, rightEnd]: readonly [number, number, number, number]): Block {
    let best: Block = { left: leftStart, right: rightStart, size: 0 };
    let lengths = new Map<number, number>();
    for (let left = leftStart; left < leftEnd; left++) {
      const next = new Map<number, number>();
      for (const right of this.#positions.get(this.#left[left]!) ?? []) {
        if (right < rightStart) continue;
        if (right >= rightEnd) break;
        const size = (lengths.get(right - 1) ?? 0) + 1;
        next.set(right, size);
        if (size > best.size) best = { left: left - size + 1, right: right - size + 1, size };
      }
      lengths = next;
    }
    return this.#extended(best, [leftStart, leftEnd, rightStart, rightEnd]);
  }

  /** Frequent lines do not start a block but can extend one. */
  #extended(block: Block, range: readonly [number, number, number, number]): Block {
    const [leftStart, leftEnd, rightStart, rightEnd] = range;
    let { left, right, size } = block;
    while (left > leftStart && right > rightStart && this.#left[left - 1] === this.#right[right - 1]) {
      left--;
      right--;
      size++;
    }
    while (left + size < leftEnd && right + size < rightEnd && this.#left[left + size] === this.#right[right + size]) {
      size++;
    }
    return { left, right, size };
  }
}

/** Groups changes that are close to each other, and adds context lines. */
function hunks(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  for (const [index, change] of changes.entries()) {
    if (!change.equal) {
      group.push(change);
      continue;
    }
    const isFirst = index === 0;
    const isLast = index === changes.length - 1;
    const size = change.left[1] - change.left[0];
    if (!isFirst && !isLast && size <= contextLines * 2) {
      group.push(change);
      continue;
    }
    if (!isFirst) {
      group.push(cut(change, 0, Math.min(size, contextLines)));
      groups.push(group);
    }
    group = isLast ? [] : [cut(change, Math.max(0, size - contextLines), size)];
  }
  if (group.some(({ equal }) => !equal)) groups.push(group);
  return groups;
}

function cut({ equal, left, right }: Change, start: number, end: number): Change {
  return { equal, left: [left[0] + start, left[0] + end], right: [right[0] + start, right[0] + end] };
}

function printHunk(hunk: readonly Change[], left: readonly string[], right: readonly string[]): string {
  const first = hunk[0]!;
  const last = hunk.at(-1)!;
  const spans = `-${span(first.left[0], last.left[1])} +${span(first.right[0], last.right[1])}`;
  let text = `@@ ${spans} @@\n`;
  for (const change of hunk) {
    const removed = left.slice(...change.left);
    if (change.equal) {
      for (const line of removed) text += ` ${line}\n`;
      continue;
    }
    for (const line of removed) text += `-${line}\n`;
    for (const line of right.slice(...change.right)) text += `+${line}\n`;
  }
  return text;
}

function span(start: number, end: number): string {
  const size = end - start;
  if (size === 1) return `${start + 1}`;
  return `${size === 0 ? start : start + 1},${size}`;
}
