import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import { inTurns, runSync } from '../../meta/turns.ts';
import type { JsonSchema, ValidationRule } from '../structural/json-schema.ts';
import { evaluateRules } from './evaluate-rules.ts';

const object = (properties: Record<string, JsonSchema>, rules: readonly ValidationRule[] = []): JsonSchema => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': rules,
});
const text = (...rules: ValidationRule[]): JsonSchema => ({ type: 'string', 'x-kubernetes-validations': rules });
const number = (...rules: ValidationRule[]): JsonSchema => ({ type: 'integer', 'x-kubernetes-validations': rules });
const spec = (schema: JsonSchema): JsonSchema => object({ spec: schema });

interface Case {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly old?: unknown;
  readonly errors: readonly string[];
  readonly warnings?: readonly string[];
}

const unset = ['spec.a: Invalid value: "x": failed rule: self != \'x\''];

describe('rules of objects', () => {
  it.each<[string, Case]>([
    ['valid', { schema: spec(text({ rule: 'self == "a"' })), value: { spec: 'a' }, errors: [] }],
    [
      'the rule as the message, and the value of a scalar',
      {
        schema: spec(text({ rule: ' self == "a" ' })),
        value: { spec: 'b' },
        errors: ['spec: Invalid value: "b": failed rule: self == "a"'],
      },
    ],
    [
      'own message, no value of an object',
      {
        schema: spec(object({ a: number() }, [{ rule: 'self.a > 1', message: ' too small ' }])),
        value: { spec: { a: 1 } },
        errors: ['spec: Invalid value: too small'],
      },
    ],
    [
      'reasons',
      {
        schema: spec(
          object({ a: text({ rule: 'false', reason: 'FieldValueDuplicate' }) }, [
            { rule: 'false', reason: 'FieldValueForbidden', message: 'no' },
            { rule: 'false', reason: 'FieldValueRequired', message: 'needed', fieldPath: '.a' },
            { rule: 'false', reason: 'FieldValueDuplicate' },
            { rule: 'false', reason: 'FieldValueInvalid', message: 'wrong' },
          ]),
        ),
        value: { spec: { a: 'x' } },
        errors: [
          'spec: Forbidden: no',
          'spec.a: Required value: needed',
          'spec: Duplicate value',
          'spec: Invalid value: wrong',
          'spec.a: Duplicate value: "x"',
        ],
      },
    ],
    [
      'message expressions, with the message when the result cannot be used',
      {
        schema: spec(
          number(
            { rule: 'false', messageExpression: '" is " + string(self) + " "' },
            { rule: 'false', message: 'm', messageExpression: '"a\\nb"' },
            { rule: 'false', message: 'm', messageExpression: '" "' },
            { rule: 'false', messageExpression: 'string(1 / (self - 7))' },
            { rule: 'false', message: 'm', messageExpression: `"${'x'.repeat(6000)}"` },
            { rule: 'false', message: 'm', messageExpression: 'string(oldSelf)' },
          ),
        ),
        value: { spec: 7 },
        old: { spec: 8 },
        errors: ['is 7', 'm', 'm', 'failed rule: false', 'm', 'm'].map((detail) => `spec: Invalid value: 7: ${detail}`),
      },
    ],
    [
      'the root, which has a name',
      {
        schema: object({}, [{ rule: 'self.metadata.name == "b" && self.kind == "K"' }]),
        value: { apiVersion: 'v1', kind: 'K', metadata: { name: 'a' } },
        errors: ['<nil>: Invalid value: failed rule: self.metadata.name == "b" && self.kind == "K"'],
      },
    ],
    [
      'items, map values and unusual names',
      {
        schema: spec(
          object({
            list: { type: 'array', items: text({ rule: 'self != "x"', message: 'm' }) },
            map: { type: 'object', additionalProperties: number({ rule: 'self > 0', message: 'm' }) },
            'a-b': text({ rule: 'self != "x"', message: 'm' }),
            'a b': text({ rule: 'self != "x"', message: 'm' }),
          }),
        ),
        value: { spec: { list: ['a', 'x'], map: { k: 0, l: 1 }, 'a-b': 'x', 'a b': 'x' } },
        errors: [
          'spec.list[1]: Invalid value: "x": m',
          'spec.map[k]: Invalid value: 0: m',
          'spec.a-b: Invalid value: "x": m',
          'spec.a b: Invalid value: "x": m',
        ],
      },
    ],
    [
      'null and absent values have no rules',
      {
        schema: spec(object({ a: { ...text({ rule: 'false' }), nullable: true }, b: text({ rule: 'false' }) })),
        value: { spec: { a: null } },
        errors: [],
      },
    ],
    [
      'null and absent fields alike',
      {
        schema: spec(
          object({ a: { type: 'string', nullable: true } }, [
            { rule: 'has(self.a) || self.?a.hasValue()', message: 'absent' },
            { rule: 'self.a == "x"' },
          ]),
        ),
        value: { spec: { a: null } },
        errors: [
          'spec: Invalid value: absent',
          'spec: Invalid value: "object": no such key: a evaluating rule: self.a == "x"',
        ],
      },
    ],
    [
      'embedded resources',
      {
        schema: spec({
          ...object({}, [{ rule: 'self.metadata.name != "x"', message: 'm' }]),
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        }),
        value: { spec: { apiVersion: 'v1', kind: 'K', metadata: { name: 'x' }, other: 1 } },
        errors: ['spec: Invalid value: m'],
      },
    ],
    [
      'int or string',
      {
        schema: spec({
          'x-kubernetes-int-or-string': true,
          'x-kubernetes-validations': [{ rule: 'type(self) == int || self.endsWith("%")' }],
        }),
        value: { spec: '5' },
        errors: ['spec: Invalid value: "5": failed rule: type(self) == int || self.endsWith("%")'],
      },
    ],
    [
      'evaluation errors show the type',
      {
        schema: spec(
          object({ m: { type: 'object', additionalProperties: text() }, q: { 'x-kubernetes-int-or-string': true } }, [
            { rule: 'self.m["k"] == ""', message: 'm' },
            { rule: 'self.q > 1' },
          ]),
        ),
        value: { spec: { m: {}, q: 'x' } },
        errors: [
          'spec: Invalid value: "object": no such key: k evaluating rule: m',
          'spec: Invalid value: "object": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: self.q > 1',
        ],
      },
    ],
    [
      'transition rules need an old value',
      {
        schema: spec(object({ a: text({ rule: 'self == oldSelf', message: 'immutable' }) })),
        value: { spec: { a: 'x' } },
        old: { spec: {} },
        errors: [],
      },
    ],
    [
      'transition rules',
      {
        schema: spec(object({ a: text({ rule: 'self == oldSelf', message: 'immutable' }) })),
        value: { spec: { a: 'x' } },
        old: { spec: { a: 'y' } },
        errors: ['spec.a: Invalid value: "x": immutable'],
      },
    ],
    [
      'optional old values',
      {
        schema: spec(
          number({
            rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 0',
            optionalOldSelf: true,
            message: 'm',
          }),
        ),
        value: { spec: 1 },
        errors: ['spec: Invalid value: 1: m'],
      },
    ],
    [
      'optional old values on update',
      {
        schema: spec(
          number({
            rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 0',
            optionalOldSelf: true,
            message: 'm',
          }),
        ),
        value: { spec: 2 },
        old: { spec: 1 },
        errors: [],
      },
    ],
    [
      'old items are found by key',
      {
        schema: spec({
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: object({ k: text(), v: number({ rule: 'self >= oldSelf', message: 'm' }) }),
        }),
        value: {
          spec: [
            { k: 'b', v: 1 },
            { k: 'a', v: 1 },
            { k: 'c', v: 0 },
          ],
        },
        old: {
          spec: [
            { k: 'a', v: 2 },
            { k: 'b', v: 1 },
          ],
        },
        errors: ['spec[1].v: Invalid value: 1: m'],
      },
    ],
    [
      'unchanged values are tolerated with a warning',
      {
        schema: spec(object({ a: text({ rule: "self != 'x'" }), b: text() })),
        value: { spec: { a: 'x', b: '2' } },
        old: { spec: { a: 'x', b: '1' } },
        errors: [],
        warnings: unset,
      },
    ],
    [
      'changed values are not',
      {
        schema: spec(
          object({ a: text({ rule: "self != 'x'" }), b: text() }, [{ rule: "self.a != 'x'", message: 'm' }]),
        ),
        value: { spec: { a: 'x', b: '2' } },
        old: { spec: { a: 'x', b: '1' } },
        errors: ['spec: Invalid value: m'],
        warnings: unset,
      },
    ],
    [
      'items of an unchanged list are tolerated, of a changed one not',
      {
        schema: spec(
          object({
            l: { type: 'array', items: text({ rule: 'false' }) },
            m: { type: 'array', items: text({ rule: 'false' }) },
          }),
        ),
        value: { spec: { l: ['a'], m: ['a', 'b'] } },
        old: { spec: { l: ['a'], m: ['a'] } },
        errors: [
          'spec.m[0]: Invalid value: "a": failed rule: false',
          'spec.m[1]: Invalid value: "b": failed rule: false',
        ],
        warnings: ['spec.l[0]: Invalid value: "a": failed rule: false'],
      },
    ],
    [
      'fields that the schema does not describe count as changed',
      {
        schema: spec({
          ...object({}, [{ rule: 'false', message: 'm' }]),
          'x-kubernetes-preserve-unknown-fields': true,
        }),
        value: { spec: { other: 1 } },
        old: { spec: { other: 1 } },
        errors: ['spec: Invalid value: m'],
      },
    ],
    [
      'broken rules of a stored definition',
      {
        schema: spec(text({ rule: 'self +' }, { rule: 'self' })),
        value: { spec: 'a' },
        errors: [
          "spec: Invalid value: \"string\": rule compile error: compilation failed: ERROR: <input>:1:7: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self +\n | ......^",
          'spec: Invalid value: "string": rule compile error: cel expression must evaluate to a bool',
        ],
      },
    ],
  ])('%s', (_name, { schema, value, old, errors, warnings = [] }) => {
    const update = old === undefined ? {} : { oldValue: old, ratchets: true };
    const found = runSync(evaluateRules(schema, value, { isRoot: true, ...update }));
    expect(found.errors.map(fieldErrorText)).toEqual(errors);
    expect(found.warnings).toEqual(warnings);
  });
});

describe('budgets', () => {
  const list = (rule: string): JsonSchema =>
    spec({ type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [{ rule }, { rule: 'false' }] });
  const numbers = (count: number) => ({ spec: Array.from({ length: count }, (_, index) => index) });

  it('ends with a rule that costs too much', () => {
    const schema = list('self.all(a, self.all(b, a + b >= 0))');
    const { errors } = runSync(evaluateRules(schema, numbers(2000), { isRoot: true }));
    expect(errors.map(fieldErrorText)).toEqual([
      'spec: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: self.all(a, self.all(b, a + b >= 0))',
    ]);
  });

  it('ends when the rules of the object cost too much together', () => {
    const rule = { rule: 'self.all(a, self.all(b, a + b >= 0))' };
    const inner: JsonSchema = { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [rule] };
    const schema = spec({ type: 'array', items: inner });
    const row = numbers(300).spec;
    const value = { spec: Array.from({ length: 100 }, () => row) };
    const { errors } = runSync(evaluateRules(schema, value, { isRoot: true }));
    expect(errors).toHaveLength(1);
    expect(fieldErrorText(errors[0]!)).toMatch(
      /^spec\[\d+\]: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run$/,
    );
  });

  it.each<[string, number, string]>([
    ['rules', 2_000, 'x'],
    ['rules about a long text', 100, 'x'.repeat(100_000)],
  ])('ends when very many %s have failed', (_what, count, value) => {
    const schema = spec(text(...Array.from({ length: count }, (_, index) => ({ rule: `self == "${index}"` }))));
    const { errors } = runSync(evaluateRules(schema, { spec: value }, { isRoot: true }));
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.length).toBeLessThan(count);
    expect(errors.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(1_200_000);
  });
});

describe('slices', () => {
  const rule = { rule: 'self.all(a, self.all(b, a + b >= 0))' };
  const rows: JsonSchema = {
    type: 'array',
    items: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': [rule] },
  };
  const value = { spec: Array.from({ length: 12 }, () => Array.from({ length: 300 }, (_, index) => index)) };

  it('leaves the event loop between rules', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const found = await inTurns(evaluateRules(spec(rows), value, { isRoot: true }));
    isDone = true;
    expect(found.errors).toEqual([]);
    expect(turns).toBeGreaterThan(3);
  });

  it('evaluates rules synchronously unless they take time', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const schema = spec(text({ rule: 'self == "a"' }));
    const evaluated = inTurns(evaluateRules(schema, { spec: 'b' }, { isRoot: true }));
    expect(evaluated).toMatchObject({ errors: [{ field: 'spec' }] });
  });
});
