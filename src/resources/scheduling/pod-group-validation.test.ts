import { describe, expect, it } from 'vitest';
import { validateOneOf } from './pod-group-validation.ts';

describe('exactly one of several fields', () => {
  it.each([
    [{ a: 1, b: undefined }, []],
    [{ a: undefined, b: null }, ['Invalid value: "": must specify one of: `a`, `b`']],
    [{ a: 1, b: 2 }, ['Invalid value: "{a, b}": must specify exactly one of: `a`, `b`']],
  ])('%j has the errors %j', (members, messages) => {
    expect(validateOneOf(members, 'spec').map(({ message }) => message)).toEqual(messages);
  });
});
