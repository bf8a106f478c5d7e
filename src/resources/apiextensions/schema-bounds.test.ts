import { expect, it } from 'vitest';
import { runSync } from '../../meta/turns.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import { validateSchema } from './schema-validation.ts';

const repeat = <T>(count: number, unit: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => unit(i));
const inField = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: schema } });

const errorsOf = (schema: JsonSchema) => runSync(validateSchema(schema, 'schema', { hasStatus: false }));

function inLists(levels: number, inner: JsonSchema): JsonSchema {
  if (levels === 0) return inner;
  return {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: [inLists(levels - 1, inner)],
  };
}

/** Each would have an error per part that shows all other parts. */
it.each<[string, JsonSchema]>([
  [
    'keys of a list that no item has',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': repeat(5_000, (index) => `key-${index}`),
      items: { type: 'object' },
    },
  ],
  ['lists of schemas in lists of schemas', inLists(100, { type: 'string', description: 'x'.repeat(100_000) })],
  [
    'many wrong types',
    { type: 'object', properties: Object.fromEntries(repeat(9_000, (index) => [`p${index}`, { type: 'wrong' }])) },
  ],
  [
    'rules with many problems',
    {
      type: 'string',
      'x-kubernetes-validations': repeat(100, () => ({ rule: repeat(1_000, (index) => `v${index}`).join('||') })),
    },
  ],
  [
    'alternatives with types',
    { type: 'object', allOf: repeat(9_000, (index) => ({ properties: { [`p${index}`]: { type: 'string' } } })) },
  ],
])('bounds the text of the errors of a schema: %s', (_about, schema) => {
  const errors = errorsOf(inField(schema));
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.reduce((sum, { field, message }) => sum + field.length + message.length, 0)).toBeLessThan(2_000_000);
});

it('bounds the errors about fields that only alternatives have', () => {
  const allOf = repeat(9_000, (index) => ({ properties: { [`p${index}`]: { minLength: 1 } } }));
  expect(errorsOf({ type: 'object', allOf })).toHaveLength(1_000);
});

it('bounds the validation of all defaults together', () => {
  const properties = Object.fromEntries(
    repeat(2_000, (index) => [
      `p${index}`,
      { type: 'string', default: 'ab', pattern: `^((a|b){1,50}${index})?` } satisfies JsonSchema,
    ]),
  );
  const errors = errorsOf(inField({ type: 'object', properties }));
  expect(errors.at(-1)!.message).toBe('Invalid value: "": the value is too large to be validated by its schema');
});
