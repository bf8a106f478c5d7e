import { describe, expect, it } from 'vitest';
import { parseWarnings } from './request.ts';

describe('parseWarnings', () => {
  it.each([
    ['', []],
    ['299 - "one"', ['one']],
    ['299 - "one, two", 299 - "a \\"b\\" \\\\"', ['one, two', 'a "b" \\']],
  ])('reads the header %j', (header, expected) => {
    expect(parseWarnings(header)).toEqual(expected);
  });
});
