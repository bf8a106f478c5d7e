import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, hunks } from './line-diff.ts';

const show = (before: string, after: string) =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => ({ same: '', removed: '-', added: '+' })[kind] + text)
    .join(' ');

describe('diffLines', () => {
  it.each([
    ['', '', ''],
    ['abc', 'abc', 'a b c'],
    ['abc', 'axc', 'a -b +x c'],
    ['', 'ab', '+a +b'],
    ['ab', '', '-a -b'],
    ['abcabba', 'cbabac', '-a -b c +b a b -b a +c'],
  ])('%j to %j', (before, after, expected) => {
    expect(show(before, after)).toBe(expected);
  });

  it('gives both versions back, with the fewest changes', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after);
        expect(diff.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before);
        expect(diff.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after);
        expect(diff.filter(({ kind }) => kind === 'same').length).toBe(longestCommon(before, after));
      }),
    );
  });

  it('gives up on the fewest changes of very different texts', () => {
    const before = Array.from({ length: 3000 }, (_, line) => `a${line}`);
    const after = Array.from({ length: 3000 }, (_, line) => `b${line}`);
    expect(diffLines(before, after)).toHaveLength(6000);
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      lengths[i]![j] = isSame ? lengths[i - 1]![j - 1]! + 1 : Math.max(lengths[i - 1]![j]!, lengths[i]![j - 1]!);
    }
  }
  return lengths[a.length]![b.length]!;
}

describe('hunks', () => {
  it('leaves out what is far from changes', () => {
    const before = Array.from({ length: 40 }, (_, line) => String(line));
    const after = before.with(20, 'x');
    const [first, ...rest] = hunks(diffLines(before, after), 2);
    expect(rest).toEqual([]);
    expect(first!.skipped).toBe(18);
    expect(first!.lines.map(({ text }) => text)).toEqual(['18', '19', '20', 'x', '21', '22']);
  });
});
