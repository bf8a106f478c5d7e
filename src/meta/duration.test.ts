import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { canonicalDuration, formatDuration, parseDuration } from './duration.ts';

describe('canonical text', () => {
  test.each([
    ['0', '0s'],
    ['0s', '0s'],
    ['5s', '5s'],
    ['1h', '1h0m0s'],
    ['90m', '1h30m0s'],
    ['1h15m30.918s', '1h15m30.918s'],
    ['1.5s', '1.5s'],
    ['.5s', '500ms'],
    ['1.s', '1s'],
    ['100ms', '100ms'],
    ['1500us', '1.5ms'],
    ['1µs', '1µs'],
    ['1μs', '1µs'],
    ['7ns', '7ns'],
    ['-1m', '-1m0s'],
    ['+5m', '5m0s'],
    ['1m1m', '2m0s'],
    ['2562047h47m16.854775807s', '2562047h47m16.854775807s'],
  ])('%s is %s', (text, expected) => {
    expect(canonicalDuration(text)).toBe(expected);
  });

  test.each([
    ['', 'time: invalid duration ""'],
    ['x', 'time: invalid duration "x"'],
    ['.s', 'time: invalid duration ".s"'],
    ['-', 'time: invalid duration "-"'],
    ['5', 'time: missing unit in duration "5"'],
    ['5d', 'time: unknown unit "d" in duration "5d"'],
    ['9999999h', 'time: invalid duration "9999999h"'],
  ])('%j is refused', (text, message) => {
    expect(() => parseDuration(text)).toThrow(message);
  });
});

it('parses what it formats', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n), (nanoseconds) => {
      expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
    }),
  );
});
