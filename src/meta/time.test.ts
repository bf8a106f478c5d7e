import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime } from './time.ts';

describe('times with seconds', () => {
  test.each([
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-01-02T03:04:05.999Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05,5Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05Z'],
    ['2024-12-31T23:30:00-01:00', '2025-01-01T00:30:00Z'],
    ['2024-01-02T3:04:05Z', '2024-01-02T03:04:05Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
  ])('%s is %s', (text, expected) => {
    expect(canonicalTime(text)).toBe(expected);
  });

  const layout = '"2006-01-02T15:04:05Z07:00"';
  test.each([
    ['yesterday', `parsing time "yesterday" as ${layout}: cannot parse "yesterday" as "2006"`],
    ['', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    ['2024', `parsing time "2024" as ${layout}: cannot parse "" as "-"`],
    ['2024-1-02T03:04:05Z', `parsing time "2024-1-02T03:04:05Z" as ${layout}: cannot parse "1-02T03:04:05Z" as "01"`],
    ['2024-01-02 03:04:05Z', `parsing time "2024-01-02 03:04:05Z" as ${layout}: cannot parse " 03:04:05Z" as "T"`],
    ['2024-01-02T03:04:05', `parsing time "2024-01-02T03:04:05" as ${layout}: cannot parse "" as "Z07:00"`],
    ['2024-01-02T03:04:05Zx', 'parsing time "2024-01-02T03:04:05Zx": extra text: "x"'],
    ['2024-13-02T03:04:05Z', 'parsing time "2024-13-02T03:04:05Z": month out of range'],
    ['2023-02-29T03:04:05Z', 'parsing time "2023-02-29T03:04:05Z": day out of range'],
    ['2024-01-00T03:04:05Z', 'parsing time "2024-01-00T03:04:05Z": day out of range'],
    ['2024-01-02T24:04:05Z', 'parsing time "2024-01-02T24:04:05Z": hour out of range'],
    ['2024-01-02T23:60:05Z', 'parsing time "2024-01-02T23:60:05Z": minute out of range'],
    ['2024-01-02T23:59:60Z', 'parsing time "2024-01-02T23:59:60Z": second out of range'],
  ])('%j is refused', (text, message) => {
    expect(() => canonicalTime(text)).toThrow(message);
  });
});

describe('times with microseconds', () => {
  test.each([
    ['2024-01-02T03:04:05.000000Z', '2024-01-02T03:04:05.000000Z'],
    ['2024-01-02T03:04:05.123456+01:00', '2024-01-02T02:04:05.123456Z'],
    ['0001-01-01T00:00:00.000000Z', null],
  ])('%s is %s', (text, expected) => {
    expect(canonicalMicroTime(text)).toBe(expected);
  });

  const layout = '"2006-01-02T15:04:05.000000Z07:00"';
  test.each([
    ['2024-01-01T00:00:00Z', `parsing time "2024-01-01T00:00:00Z" as ${layout}: cannot parse "Z" as ".000000"`],
    [
      '2024-01-01T00:00:00.123456789Z',
      `parsing time "2024-01-01T00:00:00.123456789Z" as ${layout}: cannot parse "789Z" as "Z07:00"`,
    ],
  ])('%j is refused', (text, message) => {
    expect(() => canonicalMicroTime(text)).toThrow(message);
  });
});

it('formats dates in canonical form', () => {
  const dates = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, (date) => {
      expect(canonicalTime(formatTime(date))).toBe(formatTime(date));
      expect(canonicalMicroTime(formatMicroTime(date))).toBe(formatMicroTime(date));
    }),
  );
});
