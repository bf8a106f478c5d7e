import { describe, expect, it } from 'vitest';
import { jsonDiff } from './json-diff.ts';

describe('jsonDiff', () => {
  it('is empty for equal values', () => {
    expect(jsonDiff({ A: 1 }, { A: 1 })).toBe('');
  });

  it('shows a change with three context lines', () => {
    const before = { A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8, I: 9 };
    expect(jsonDiff(before, { ...before, E: null })).toBe(
      '@@ -3,7 +3,7 @@\n  "B": 2,\n  "C": 3,\n  "D": 4,\n- "E": 5,\n+ "E": null,\n  "F": 6,\n  "G": 7,\n  "H": 8,\n',
    );
  });

  it('shows distant changes in separate hunks', () => {
    const before = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`K${index}`, index]));
    const diff = jsonDiff(before, { ...before, K1: 'x', K18: 'y' });
    expect(diff.match(/^@@.*@@$/gm)).toEqual(['@@ -1,6 +1,6 @@', '@@ -17,6 +17,6 @@']);
  });

  it('formats line ranges of length one and zero like diff', () => {
    expect(jsonDiff(1, 2)).toBe('@@ -1 +1 @@\n-1\n+2\n');
    expect(jsonDiff({}, { A: [] })).toBe('@@ -1 +1,3 @@\n-{}\n+{\n+ "A": []\n+}\n');
  });

  it('escapes HTML characters', () => {
    expect(jsonDiff('<', '>')).toBe('@@ -1 +1 @@\n-"\\u003c"\n+"\\u003e"\n');
  });
});
