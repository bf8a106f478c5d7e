import { expect, it } from 'vitest';
import { inTurns, runSync } from '../../meta/turns.ts';
import { compileKind, Findings } from '../normalize/index.ts';
import { customSchema, validateCustomObject } from './index.ts';
import type { JsonSchema } from './json-schema.ts';

const kind = { group: 'example.com', version: 'v1', kind: 'A' };

function normalized(field: JsonSchema, value: unknown) {
  const schema = customSchema({ type: 'object', properties: { a: field } }, kind);
  const compiled = compileKind({ schema, kind: 'A', apiVersion: 'example.com/v1' });
  return { schema, object: compiled.normalize({ metadata: { name: 'o' }, a: value }, new Findings()) };
}

const repeat = (count: number, unit: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => unit(index));
const items = (schema: JsonSchema): JsonSchema => ({ type: 'array', items: schema });

it.each([
  ['a long text', 'x'.repeat(10_000), '2097152 bytes'],
  [
    'an object of many fields',
    Object.fromEntries(repeat(2_000, (index) => [`k${index}`, {}]) as [string, object][]),
    '50000 values',
  ],
])('refuses an object whose defaults would be far larger than itself: %s', (_about, value, limit) => {
  const field = items({
    type: 'object',
    properties: { d: { 'x-kubernetes-preserve-unknown-fields': true, default: value } },
  });
  expect(() => normalized(field, [{}, {}])).not.toThrow();
  expect(() =>
    normalized(
      field,
      repeat(1_000, () => ({})),
    ),
  ).toThrow(`the defaults of the object have more than ${limit}`);
});

const tooLarge = 'Invalid value: "": the value is too large to be validated by its schema';

it.each<[string, JsonSchema, unknown]>([
  [
    'alternatives',
    items({ anyOf: repeat(2_000, (index) => ({ minLength: 10 + index })) as JsonSchema[], type: 'string' }),
    repeat(2_000, () => 'short'),
  ],
  [
    'required fields',
    items({ type: 'object', required: repeat(1_000, (index) => `r${index}`) as string[] }),
    repeat(2_000, () => ({})),
  ],
  ['a pattern of many states', { type: 'string', pattern: '^(c|a?){500}(a|b|aa){400}c$' }, `c${'a'.repeat(100_000)}`],
  ['a pattern that is too long', { type: 'string', pattern: '(a|b*)'.repeat(50_000) }, 'a'],
  [
    'many patterns',
    items({ type: 'string', anyOf: repeat(500, (index) => ({ pattern: `^(a|b){1,50}${index}$` })) as JsonSchema[] }),
    ['ab'],
  ],
  [
    'alternatives of a list',
    {
      type: 'array',
      items: { type: 'string' },
      anyOf: repeat(200, (index) => ({ items: { minLength: 10 + index } })) as JsonSchema[],
    },
    repeat(2_000, () => 'short'),
  ],
  ['a long text', { type: 'string', pattern: '^[A-Za-z0-9+/=]*$' }, 'a'.repeat(500_000)],
  ['a pattern of many classes', { type: 'string', pattern: '\\pL|'.repeat(1_000) }, 'a'],
])('stops a validation that takes too long: %s', (_about, field, value) => {
  const { schema, object } = normalized(field, value);
  expect(runSync(validateCustomObject(schema, object as never))).toEqual([
    { reason: 'FieldValueInvalid', field: '<nil>', message: tooLarge },
  ]);
});

it('validates a large object with many patterns and alternatives', () => {
  const field = items({
    type: 'object',
    properties: {
      name: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 },
      address: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    },
  });
  const { schema, object } = normalized(
    field,
    repeat(9_900, (index) => ({ name: `a-name-of-usual-length-${index}`, address: 'fd00::1' })),
  );
  expect(runSync(validateCustomObject(schema, object as never))).toEqual([]);
});

it('leaves the event loop between the items of a list', async () => {
  const anyOf = repeat(500, (index) => ({ minLength: 10 + index })) as JsonSchema[];
  const { schema, object } = normalized(
    items({ type: 'string', anyOf: [...anyOf, { minLength: 1 }] }),
    repeat(2_000, () => 'short'),
  );
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  expect(await inTurns(validateCustomObject(schema, object as never))).toEqual([]);
  isDone = true;
  expect(turns).toBeGreaterThan(3);
});

it('shows the allowed values of few of many errors', () => {
  const allowed = repeat(5_000, (index) => `allowed-${index}`);
  const { schema, object } = normalized(
    items({ type: 'string', enum: allowed }),
    repeat(1_000, () => 'x'),
  );
  const errors = runSync(validateCustomObject(schema, object as never));
  expect(errors[0]!.message).toContain('allowed-4999');
  expect(errors.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(2_000_000);
});
