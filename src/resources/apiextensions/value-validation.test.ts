import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import { validateValue } from './value-validation.ts';

const texts = (value: unknown, schema: JsonSchema) => validateValue(value, schema, 'default').map(fieldErrorText);

describe('validateValue', () => {
  const schemas: Record<string, JsonSchema> = {
    number: { type: 'number', minimum: 1, exclusiveMinimum: true, multipleOf: 0.5 },
    text: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z]+$' },
    list: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
    object: { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, maxProperties: 2 },
    mixed: { 'x-kubernetes-int-or-string': true },
    choice: { type: 'integer', oneOf: [{ maximum: 5 }, { minimum: 3 }] },
    maybe: { type: 'string', nullable: true },
  };

  it.each([
    ['number', 1.5],
    ['text', 'ab'],
    ['list', [1]],
    ['object', { a: 'x', b: 1 }],
    ['mixed', 5],
    ['mixed', 'five'],
    ['choice', 2],
    ['maybe', null],
  ])('takes a %s: %j', (name, value) => expect(texts(value, schemas[name]!)).toEqual([]));

  it.each([
    ['number', 'x', ['default: Invalid value: "string":  in body must be of type number: "string"']],
    [
      'number',
      0.7,
      [
        'default: Invalid value: 0.7:  in body should be a multiple of 0.5',
        'default: Invalid value: 0.7:  in body should be greater than 1',
      ],
    ],
    [
      'text',
      'A',
      [
        'default: Invalid value: "A":  in body should be at least 2 chars long',
        `default: Invalid value: "A":  in body should match '^[a-z]+$'`,
      ],
    ],
    ['text', 'abcd', ['default: Too long: may not be more than 3 bytes']],
    ['list', [], ['default: Invalid value: 0:  in body should have at least 1 items']],
    ['list', [1, 2, 3], ['default: Too many: 3: must have at most 2 items']],
    ['list', ['x'], ['default.[0]: Invalid value: "string": [0] in body must be of type integer: "string"']],
    ['object', {}, ['default.a: Required value']],
    ['object', { a: 1 }, ['default.a: Invalid value: "integer": a in body must be of type string: "integer"']],
    ['mixed', true, ['default: Invalid value: "boolean":  in body must be of type integer,string: "boolean"']],
    [
      'choice',
      4,
      ['default: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
  ])('refuses a %s: %j', (name, value, errors) => expect(texts(value, schemas[name]!)).toEqual(errors));
});
