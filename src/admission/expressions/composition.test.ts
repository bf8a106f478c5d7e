import { describe, expect, it } from 'vitest';
import { Pending } from '../../meta/pending.ts';
import { compileAdmissionExpression } from './compiled-expression.ts';
import { Composition } from './composition.ts';
import { Evaluation, OutOfBudget, policyBudget } from './evaluation.ts';
import { testInput } from './test-input.conformance.ts';

function composed(variables: Record<string, string>): Composition {
  const composition = new Composition({ hasParams: false });
  for (const [name, text] of Object.entries(variables)) composition.declare(name, text);
  return composition;
}

function compile(composition: Composition, text: string) {
  return compileAdmissionExpression(text, { environment: composition.environment({ hasAuthorizer: false }) });
}

async function evaluate(variables: Record<string, string>, text: string, budget = policyBudget) {
  const composition = composed(variables);
  const evaluation = new Evaluation(await testInput({ object: { metadata: { name: 'a' } } }), { budget, composition });
  return { evaluation, outcome: evaluation.evaluate(compile(composition, text)) };
}

describe('variables of a policy', () => {
  it.each<[variables: Record<string, string>, expression: string, outcome: object]>([
    [{ a: 'object.metadata.name' }, "variables.a + 'b'", { value: 'ab' }],
    [{ a: '1', b: 'variables.a + 1' }, 'variables.a + variables.b', { value: 3n }],
    [{ a: '2.0' }, 'variables.a * 1.5', { value: 3 }],
    [{ a: "{'k': [1]}" }, "variables.a['k'][0]", { value: 1n }],
    [{ a: 'object.nope', b: '1' }, 'variables.b', { value: 1n }],
    [
      { a: 'object.nope' },
      'variables.a == 1',
      {
        error:
          'expression \'variables.a == 1\' resulted in error: composited variable "a" fails to evaluate: no such key: nope',
      },
    ],
    [{ a: 'object.nope' }, 'variables.a == 1 || true', { value: true }],
    [{ a: '(' }, 'variables.a == 1', { error: expect.stringContaining('composited variable "a" fails to compile: ') }],
    [{}, 'variables.a == 1', { error: expect.stringContaining("undefined field 'a'") }],
    [{ a: 'variables.b', b: '1' }, 'variables.a == 1', { error: expect.stringContaining("undefined field 'b'") }],
    [{ a: "'x'" }, 'variables.a + 1', { error: expect.stringContaining("no matching overload for '_+_'") }],
  ])('%j: %s', async (variables, expression, outcome) => {
    expect((await evaluate(variables, expression)).outcome).toEqual(outcome);
  });

  it('cannot refer to themselves', async () => {
    const composition = composed({ a: '1' });
    composition.declare('a', 'variables.a + 1');
    const evaluation = new Evaluation(await testInput(), { budget: policyBudget, composition });
    expect(evaluation.evaluate(compile(composition, 'variables.a'))).toEqual({
      error: expect.stringContaining('composited variable "a" refers to itself'),
    });
  });

  it('cost once', async () => {
    const variables = { a: "'some text'.contains('text')" };
    const once = (await evaluate(variables, 'variables.a')).evaluation.cost;
    const twice = (await evaluate(variables, 'variables.a && variables.a')).evaluation.cost;
    const step = (await evaluate({ a: 'true' }, 'variables.a')).evaluation.cost;
    expect(twice).toBe(once + step);
  });

  it('count for the budget', async () => {
    const list = `[${Array(100).fill("'x'").join(',')}]`;
    const variables = { a: `${list}.all(x, ${list}.all(y, x.matches('x')))` };
    await expect(evaluate(variables, 'variables.a', 1000)).rejects.toThrow(OutOfBudget);
    const { evaluation } = await evaluate({}, 'true', 0).catch(() => evaluate({}, 'true', 1));
    evaluation.renew(10);
    expect(evaluation.evaluate(compile(composed({}), 'object.metadata.name'))).toEqual({ value: 'a' });
  });
});

it('an expression that lasts long goes on later, also in a variable, and costs the same', async () => {
  // Takes many times as long as the limit of an attempt.
  const slow = "object.xs.all(x, object.xs.all(y, ip('fe80::1') == ip('fe80::1')))";
  const variables = { a: slow };
  const text = `${slow} && variables.a && object.xs.all(x, variables.a)`;
  const object = { metadata: { name: 'a' }, xs: Array.from({ length: 100 }, (_, index) => index) };
  const begin = async () => {
    const composition = composed(variables);
    const evaluation = new Evaluation(await testInput({ object }), { budget: policyBudget, composition });
    return { evaluation, expression: compile(composition, text) };
  };
  const whole = await begin();
  expect(whole.evaluation.evaluate(whole.expression)).toEqual({ value: true });
  const parted = await begin();
  const first = parted.evaluation.attempt(parted.expression);
  expect(first).toBeInstanceOf(Pending);
  expect(await parted.evaluation.finish(parted.expression, first as Pending)).toEqual({ value: true });
  expect(parted.evaluation.cost).toBe(whole.evaluation.cost);
});
