import { describe, expect, it, test } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { runSync } from '../../meta/turns.ts';
import type { JsonSchema } from './json-schema.ts';
import { validateCustomValue } from './validate-custom-value.ts';

const texts = (schema: JsonSchema, value: unknown, path = '') =>
  runSync(validateCustomValue(schema, value, { path })).map(fieldErrorText);

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });

describe('validateCustomValue', () => {
  const integer: JsonSchema = { type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 };
  const text: JsonSchema = { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' };

  it.each<[string, JsonSchema, unknown]>([
    ['an integer', integer, 4],
    ['a number with an integer', { type: 'number', minimum: 0.5 }, 1],
    ['an integer with many digits', { type: 'integer' }, 2n ** 62n],
    ['a text', text, 'abc'],
    ['characters beyond 16 bits', { type: 'string', minLength: 2, maxLength: 2 }, '\u{1f600}\u{1f600}'],
    ['a pattern that JavaScript does not know', { type: 'string', pattern: '^(?i)[[:alpha:]]+\\z' }, 'Ab'],
    ['a number or a text', { 'x-kubernetes-int-or-string': true }, '5%'],
    ['null, if allowed', { type: 'string', nullable: true }, null],
    ['any value without a type', {}, { a: [null] }],
    ['an unknown format', { type: 'string', format: 'idn-hostname' }, '-'],
    ['an enum of numbers', { type: 'number', enum: [1, 2.5] }, 2.5],
    ['an enum of objects', { type: 'object', enum: [{ b: 1, a: [2] }] }, { a: [2], b: 1 }],
    ['a required field with a default', { type: 'object', required: ['a'], properties: { a: { default: 1 } } }, {}],
    ['one alternative', { oneOf: [{ required: ['x'] }, { required: ['y'] }] }, { x: 1 }],
    ['a list where a formatted text is wanted', { type: 'string', format: 'date' }, ['x']],
  ])('accepts %s', (_name, schema, value) => expect(texts(schema, value)).toEqual([]));

  it.each<[string, JsonSchema, unknown, string[]]>([
    ['types', { type: 'integer' }, 'x', ['a: Invalid value: "string": a in body must be of type integer: "string"']],
    ['nulls', { type: 'object' }, null, ['a: Invalid value: "null": a in body must be of type object: "null"']],
    [
      'numbers where integers are wanted',
      integer,
      1.5,
      [
        'a: Invalid value: "number": a in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in a',
        'a: Invalid value: 1.5: a in body should be a multiple of 2',
      ],
    ],
    ['small integers', integer, 0, ['a: Invalid value: 0: a in body should be greater than or equal to 1']],
    ['large integers', integer, 12, ['a: Invalid value: 12: a in body should be less than or equal to 10']],
    [
      'excluded bounds',
      { type: 'number', maximum: 5, exclusiveMaximum: true },
      5,
      ['a: Invalid value: 5: a in body should be less than 5'],
    ],
    [
      'integer parts of bounds',
      { type: 'number', minimum: 5.5 },
      4,
      ['a: Invalid value: 4: a in body should be greater than or equal to 5'],
    ],
    [
      'floating point bounds',
      { type: 'number', maximum: 1e6 },
      1000000.5,
      ['a: Invalid value: 1.0000005e+06: a in body should be less than or equal to 1e+06'],
    ],
    [
      'int32',
      { type: 'integer', format: 'int32' },
      3e9,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a'],
    ],
    [
      'numbers in the place of formatted texts',
      { type: 'string', format: 'date-time' },
      7,
      ['a: Invalid value: "int64": a in body must be of type date-time: "int64"'],
    ],
    [
      'objects in the place of formatted texts',
      { type: 'string', format: 'cidr' },
      {},
      ['a: Invalid value: "": a in body must be of type cidr: ""'],
    ],
    [
      'formats',
      { type: 'string', format: 'date-time' },
      'x',
      ['a: Invalid value: "x": a in body must be of type date-time: "x"'],
    ],
    ['only the first error of a text', text, 'ABCDEF', ['a: Too long: may not be more than 5 bytes']],
    ['short texts', text, 'A', ['a: Invalid value: "A": a in body should be at least 2 chars long']],
    ['patterns', text, 'AB', [`a: Invalid value: "AB": a in body should match '^[a-z]+$'`]],
    [
      'patterns that are not valid',
      { type: 'string', pattern: '(' },
      'x',
      [
        'a: Invalid value: "x": a in body should match \'(, but pattern is invalid: error parsing regexp: missing closing ): `(`\'',
      ],
    ],
    ['enums', { type: 'string', enum: ['a', 'b'] }, 'c', ['a: Unsupported value: "c": supported values: "a", "b"']],
    [
      'enums of other values',
      { enum: [1, { b: 2, a: true }] },
      null,
      ['a: Unsupported value: null: supported values: "1", "{\\"a\\":true,\\"b\\":2}"'],
    ],
    [
      'a type and an enum',
      { type: 'string', enum: ['a'] },
      {},
      [
        'a: Invalid value: "object": a in body must be of type string: "object"',
        'a: Unsupported value: {}: supported values: "a"',
      ],
    ],
    [
      'short lists',
      { type: 'array', minItems: 1 },
      [],
      ['a: Invalid value: 0: a in body should have at least 1 items'],
    ],
    ['long lists', { type: 'array', maxItems: 1 }, [1, 2], ['a: Too many: 2: must have at most 1 item']],
    [
      'items',
      { type: 'array', items: { type: 'string' } },
      ['x', 1],
      ['a[1]: Invalid value: "integer": a[1] in body must be of type string: "integer"'],
    ],
    [
      'map values',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { k: 'x' },
      ['a.k: Invalid value: "string": a.k in body must be of type integer: "string"'],
    ],
    [
      'too many properties, before the properties',
      { type: 'object', maxProperties: 1, additionalProperties: { type: 'integer' } },
      { k: 'x', l: 'y' },
      ['a: Too many: 2: must have at most 1 item'],
    ],
    [
      'too few properties',
      { type: 'object', minProperties: 1 },
      {},
      ['a: Invalid value: 0: a in body should have at least 1 properties'],
    ],
    ['missing properties', { type: 'object', required: ['b', 'c'] }, { c: null }, ['a.b: Required value']],
    [
      'a number or a text',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['a: Invalid value: "boolean": a in body must be of type integer,string: "boolean"'],
    ],
  ])('refuses wrong %s', (_name, schema, value, errors) =>
    expect(texts(object({ a: schema }), { a: value })).toEqual(errors),
  );

  const required = (name: string): JsonSchema => ({ required: [name] });

  it.each<[string, JsonSchema, unknown, string[]]>([
    [
      'anyOf',
      { anyOf: [required('x'), required('y')] },
      {},
      ['<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)', 'a.x: Required value'],
    ],
    [
      'oneOf, none',
      { oneOf: [required('x'), required('y')] },
      {},
      [
        '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
        'a.x: Required value',
      ],
    ],
    [
      'oneOf, two',
      { oneOf: [required('x'), required('y')] },
      { x: 1, y: 2 },
      ['<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'allOf',
      { allOf: [required('x'), required('y')] },
      { x: 1 },
      ['a.y: Required value', '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)'],
    ],
    [
      'allOf, none',
      { allOf: [{ enum: ['b'] }, { enum: ['b'] }] },
      'c',
      [
        'a: Unsupported value: "c": supported values: "b"',
        '<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
      ],
    ],
    ['not', { not: required('x') }, { x: 1 }, ['<nil>: Invalid value: "": "a" must not validate the schema (not)']],
    [
      'the alternative that fits best',
      { oneOf: [{ required: ['x'] }, { properties: { k: { enum: ['b'] }, l: { enum: ['b'] } }, required: ['y'] }] },
      { k: 'b', l: 'b' },
      [
        '<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid',
        'a.y: Required value',
      ],
    ],
    [
      'a number or a text',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      {},
      [
        'a: Invalid value: "object": a in body must be of type integer,string: "object"',
        '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
        'a: Invalid value: "object": a in body must be of type integer: "object"',
      ],
    ],
  ])('combines schemas: %s', (_name, schema, value, errors) =>
    expect(texts(object({ a: schema }), { a: value })).toEqual(errors),
  );

  it('names fields relative to the value in sentences', () => {
    const schema: JsonSchema = { type: 'object', properties: { st: { type: 'string' } }, not: required('x') };
    expect(texts(schema, { st: 5, x: 1 }, 'status')).toEqual([
      'status: Invalid value: "": "" must not validate the schema (not)',
      'status.st: Invalid value: "integer": st in body must be of type string: "integer"',
    ]);
    expect(texts({ type: 'array', items: { type: 'integer' } }, ['x'], 'default')).toEqual([
      'default.[0]: Invalid value: "string": [0] in body must be of type integer: "string"',
    ]);
    expect(texts({ type: 'string' }, 1)).toEqual([
      '<nil>: Invalid value: "integer":  in body must be of type string: "integer"',
    ]);
  });
});

describe('hostile schemas and values', () => {
  test('bounds beyond the exact range of numbers are floating point numbers', () => {
    const bound = 9223372036854775000n as unknown as number;
    expect(texts({ type: 'integer', minimum: bound, multipleOf: bound }, 7, 'a')).toEqual([
      `a: Invalid value: 7:  in body should be a multiple of 9223372036854774784`,
      `a: Invalid value: 7:  in body should be greater than or equal to 9223372036854774784`,
    ]);
    expect(texts({ type: 'integer', maximum: bound }, 7, 'a')).toEqual([]);
  });

  test('limits beyond the exact range of numbers', () => {
    const limit = (2n ** 60n) as unknown as number;
    expect(texts({ type: 'array', minItems: limit, items: { type: 'string', minLength: limit } }, ['x'], 'a')).toEqual([
      `a.[0]: Invalid value: "x": [0] in body should be at least ${2n ** 60n} chars long`,
      `a: Invalid value: 1:  in body should have at least ${2n ** 60n} items`,
    ]);
  });

  test('a pattern with nested repetitions', () => {
    expect(texts({ type: 'string', pattern: '^((a+)+)+$' }, `${'a'.repeat(100_000)}!`)).toHaveLength(1);
  });

  test('a large schema for a large list', () => {
    const schema: JsonSchema = {
      type: 'array',
      items: { type: 'string' },
      anyOf: Array.from({ length: 200 }, (_, index) => ({ items: { enum: [`${index}`] } })),
    };
    const value = Array.from({ length: 2_000 }, () => 'x');
    expect(texts(schema, value, 'a')).toEqual([
      'a: Invalid value: "": the value is too large to be validated by its schema',
    ]);
  });

  test('many errors', () => {
    const value = Array.from({ length: 10_000 }, () => 1);
    expect(texts({ type: 'array', items: { type: 'string' } }, value)).toHaveLength(1_000);
  });
});
