import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

describe('unifiedDiff', () => {
  it('says nothing of equal values', () => {
    expect(unifiedDiff({ a: 1 }, { a: 1 })).toBe('');
  });

  it('shows three lines around a change', () => {
    const before = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 };
    expect(unifiedDiff(before, { ...before, e: 0 })).toBe(
      '@@ -3,7 +3,7 @@\n  "b": 2,\n  "c": 3,\n  "d": 4,\n- "e": 5,\n+ "e": 0,\n  "f": 6,\n  "g": 7,\n  "h": 8,\n',
    );
  });

  it('joins changes whose surroundings touch and parts others', () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const near = numbers.with(5, -1).with(12, -1);
    const far = numbers.with(5, -1).with(13, -1);
    expect(unifiedDiff(numbers, near).match(/^@@.*@@$/gm)).toEqual(['@@ -4,14 +4,14 @@']);
    expect(unifiedDiff(numbers, far).match(/^@@.*@@$/gm)).toEqual(['@@ -4,7 +4,7 @@', '@@ -12,7 +12,7 @@']);
  });

  it('keeps the longest common run, even when that makes the difference longer', () => {
    const before = { x: { p: 1, q: 2 }, y: null, z: null };
    const after = { x: null, y: null, z: { s: 1, t: 2 } };
    expect(unifiedDiff(before, after)).toBe(
      '@@ -1,8 +1,8 @@\n {\n- "x": {\n-  "p": 1,\n-  "q": 2\n- },\n+ "x": null,\n  "y": null,\n- "z": null\n+ "z": {\n+  "s": 1,\n+  "t": 2\n+ }\n }\n',
    );
  });

  it('has no characters that mean something in a web page', () => {
    expect(unifiedDiff('a<b', 'a&b')).toBe('@@ -1 +1 @@\n-"a\\u003cb"\n+"a\\u0026b"\n');
  });
});
