import { describe, expect, it } from 'vitest';
import { dataKeyErrors } from './data-keys.ts';

const syntax =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const length = 'must be no more than 253 characters';

describe('dataKeyErrors', () => {
  it.each([
    ['a', []],
    ['.hidden', []],
    ['-_.A9', []],
    ['k'.repeat(253), []],
    ['k'.repeat(254), [length]],
    ['', [syntax]],
    ['a/b', [syntax]],
    ['a b', [syntax]],
    ['ä', [syntax]],
    ['.', ["must not be '.'"]],
    ['..', ["must not be '..'"]],
    ['..a', ["must not start with '..'"]],
    ['../a', [syntax, "must not start with '..'"]],
    ['/'.repeat(254), [length, syntax]],
  ])('%s', (key, errors) => {
    expect(dataKeyErrors(key)).toEqual(errors);
  });
});
