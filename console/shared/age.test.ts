import { describe, expect, it } from 'vitest';
import { formatDuration } from './age.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('formatDuration', () => {
  it.each([
    [-5000, '0s'],
    [119_999, '119s'],
    [2 * minute, '2m'],
    [3 * minute + 4000, '3m4s'],
    [10 * minute + 4000, '10m'],
    [3 * hour + 25 * minute, '3h25m'],
    [47 * hour, '47h'],
    [2 * day + 4 * hour, '2d4h'],
    [40 * day, '40d'],
    [741 * day, '2y11d'],
    [3000 * day, '8y'],
  ])('%d ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});
