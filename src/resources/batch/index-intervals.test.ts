import { describe, expect, it } from 'vitest';
import { commonIndex, countIndexes, indexProblem } from './index-intervals.ts';

describe('countIndexes', () => {
  it.each([
    ['', 0],
    ['3', 1],
    ['0-9', 10],
    ['1,3-5,7', 5],
  ])('counts %j', (text, count) => {
    expect(countIndexes(text, 10)).toBe(count);
    expect(indexProblem(text, 10)).toBeUndefined();
  });
});

describe('indexProblem', () => {
  it.each([
    ['10', 'too large index: "10"'],
    ['1-10', 'too large index: "10"'],
    ['a', 'cannot convert string to integer for index: "a"'],
    ['1,', 'cannot convert string to integer for index: ""'],
    ['1-', 'cannot convert string to integer for index: ""'],
    ['3-3', 'non-increasing order, previous: 3, current: 3'],
    ['1-5,5', 'non-increasing order, previous: 5, current: 5'],
    [
      '1-2-3',
      'the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by \'-\'',
    ],
  ])('finds what is wrong with %j', (text, problem) => {
    expect(indexProblem(text, 10)).toBe(problem);
  });
});

describe('commonIndex', () => {
  it.each([
    ['', '1', undefined],
    ['0-2,6', '3-5', undefined],
    ['0-3,6', '2-6', 2],
    ['x,6', 'y,6-7', 6],
  ])('finds for %j and %j the index %j', (left, right, index) => {
    expect(commonIndex(left, right, 10)).toBe(index);
  });
});
