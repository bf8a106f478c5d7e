import { describe, expect, test } from 'vitest';
import { parseResourceVersion, parseResourceVersionOption } from './resource-version.ts';

const statusOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    const { code, reason, message } = (error as { status: { code: number; reason?: string; message: string } }).status;
    return { code, reason, message };
  }
  throw new Error('nothing was refused');
};

describe('parseResourceVersion', () => {
  test.each([
    ['0', 0],
    ['7', 7],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
    ['18446744073709551615', 2n ** 64n - 1n],
  ])('%s', (text, version) => {
    expect(parseResourceVersion(text)).toBe(version);
  });

  test.each([
    ['', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['abc', 'strconv.ParseUint: parsing "abc": invalid syntax'],
    ['-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ['+1', 'strconv.ParseUint: parsing "+1": invalid syntax'],
    ['1.0', 'strconv.ParseUint: parsing "1.0": invalid syntax'],
    [' 1', 'strconv.ParseUint: parsing " 1": invalid syntax'],
    ['"', 'strconv.ParseUint: parsing "\\"": invalid syntax'],
    ['18446744073709551616', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  ])('%j is refused', (text, message) => {
    expect(statusOf(() => parseResourceVersion(text))).toEqual({
      code: 400,
      reason: 'BadRequest',
      message,
    });
  });
});

describe('parseResourceVersionOption', () => {
  const detail = 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax';

  test('list reports an invalid value as a bad request', () => {
    expect(parseResourceVersionOption('12', 'list')).toBe(12);
    const message = `invalid resource version: ${detail}`;
    expect(statusOf(() => parseResourceVersionOption('abc', 'list'))).toEqual({
      code: 400,
      reason: 'BadRequest',
      message,
    });
  });

  test.each(['get', 'watch'] as const)('%s answers with the text of the parser', (verb) => {
    expect(statusOf(() => parseResourceVersionOption('abc', verb))).toEqual({
      code: 400,
      reason: 'BadRequest',
      message: detail,
    });
  });
});
