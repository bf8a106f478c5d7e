import { expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { controllerRevisionRules } from './controller-revision-rules.ts';

it.each<[string, object, readonly string[]]>([
  ['the number', { revision: 8, data: { n: 1, m: { a: 2, b: 1 } } }, []],
  [
    'the data',
    { revision: 7, data: { n: 2n ** 60n } },
    ['data: Invalid value: {"n":1152921504606846976}: field is immutable'],
  ],
  [
    'the order of the data',
    { revision: 7, data: { m: { b: 1, a: 2 }, n: 1 } },
    ['data: Invalid value: {"m":{"b":1,"a":2},"n":1}: field is immutable'],
  ],
  ['no data', { revision: 7 }, ['data: Invalid value: null: field is immutable']],
  ['data of another type', { revision: 7, data: 5 }, ['data: Invalid value: 5: field is immutable']],
  [
    'a negative number',
    { revision: -1, data: { n: 1, m: { a: 2, b: 1 } } },
    ['revision: Invalid value: -1: must be greater than or equal to 0'],
  ],
])('a revision may change: %s', (_name, next, errors) => {
  const oldObject = { metadata: {}, revision: 7, data: { n: 1, m: { a: 2, b: 1 } } };
  expect(controllerRevisionRules.validateUpdate!({ metadata: {}, ...next }, oldObject).map(fieldErrorText)).toEqual(
    errors,
  );
});
