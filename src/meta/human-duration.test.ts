import { describe, expect, it } from 'vitest';
import { humanDuration } from './human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('humanDuration', () => {
  it.each([
    [-2 * second, '<invalid>'],
    [-1.9 * second, '0s'],
    [0, '0s'],
    [999, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [2 * minute + second, '2m1s'],
    [10 * minute - second, '9m59s'],
    [10 * minute + 30 * second, '10m'],
    [3 * hour - second, '179m'],
    [3 * hour, '3h'],
    [3 * hour + minute, '3h1m'],
    [8 * hour + 30 * minute, '8h'],
    [48 * hour - second, '47h'],
    [2 * day, '2d'],
    [2 * day + hour, '2d1h'],
    [8 * day - second, '7d23h'],
    [8 * day + hour, '8d'],
    [2 * year - second, '729d'],
    [2 * year, '2y'],
    [6 * year + 320 * day, '6y320d'],
    [8 * year - second, '7y364d'],
    [8 * year + day, '8y'],
  ])('formats %d ms as %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });
});
