import { expect, it } from 'vitest';
import { inTurns } from '../../meta/turns.ts';
import { CelError } from '../cel-error.ts';
import { dynType, intType, listType, mapType, stringType } from '../checker/cel-type.ts';
import { compileExpression } from '../compile-expression.ts';

const variables = {
  xs: listType(intType),
  texts: mapType(stringType, stringType),
  any: dynType,
};
const values = {
  xs: [3, 1, 2, 5, 4],
  texts: { a: 'x', b: 'y', c: 'z' },
  any: [{ n: 1, list: [1, 2] }, { n: 2, list: [] }, { list: [3] }],
};

const expressions = [
  'xs.all(x, x > 0)',
  'xs.exists(x, x == 5) && xs.exists(x, x == 6)',
  'xs.all(a, xs.all(b, a + b > 1))',
  'xs.map(a, xs.filter(b, b > a).map(c, c * a))',
  'xs.map(a, xs.map(b, xs.map(c, a * b * c).size()).size())',
  'xs.filter(x, x in xs.map(y, y + 1)).map(x, x * 2) + xs.map(x, -x)',
  'xs.exists_one(x, xs.all(y, x >= y)) ? xs.map(x, x + 1) : xs',
  'texts.all(k, texts.exists(l, texts[k] != texts[l]))',
  'texts.transformMap(k, v, xs.exists(x, x == 3), v + k)',
  'xs.transformList(i, v, i * v)',
  // Errors that a later iteration makes irrelevant, and errors that it does not.
  'xs.exists(x, 6 / (x - 3) == -6) && !xs.all(x, 6 / (x - 3) == 3)',
  'xs.all(x, 6 / (x - 3) != 100)',
  'xs.all(x, xs.all(y, x / (y - 2) != 100)) || xs.exists(x, x == 4)',
  'any.map(e, e.list.map(l, l + e.n))',
  'any.exists(e, has(e.n) && e.list.exists(l, l == e.n + 1))',
  // Values that are computed when they are first read: inside of a loop, before it, or by a loop.
  'cel.bind(sum, xs.map(x, x * x), xs.all(x, sum.exists(s, s == x * x)))',
  'cel.bind(sum, xs.map(x, x * x), xs.map(x, x > 2 ? sum.size() : 0) + [sum.size()])',
  'cel.bind(a, xs.filter(x, x > 2), cel.bind(b, a.map(x, x + 1), b.map(x, x in a) + a.map(x, x in b)))',
  'xs.map(x, cel.bind(more, xs.filter(y, y > x), more.map(m, m - x) + more))',
  'cel.bind(fails, xs.map(x, 1 / (x - 1)), xs.all(x, fails.size() > 0 || x > 0) && xs.exists(x, x == 4))',
  'optional.of(xs.map(x, x + 1)).optMap(l, l.map(x, x * 2)).orValue([])',
  'xs.map(x, xs.map(y, [x, y])).map(l, l.size()).all(n, n == xs.size())',
];

function resultOf(evaluate: () => { readonly value: unknown; readonly cost: number }): unknown {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

it.each(expressions)('an evaluation that is interrupted has the same value and cost: %s', (text) => {
  const program = compileExpression(text, { variables, hasBindings: true });
  const meter = { cost: 0 };
  const whole = resultOf(() => program.evaluate(values, { meter }));
  for (const period of [1, 2, 3, 7]) {
    let looks = 0;
    let interruptions = 0;
    const interrupted = { cost: 0 };
    const steps = program.evaluateInSteps(values, {
      costLimit: 5_000,
      meter: interrupted,
      interruptions: { isDue: () => ++looks % period === 0, interval: 1 },
    });
    const result = resultOf(() => {
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        interruptions++;
      }
    });
    expect(result).toEqual(whole);
    expect(interrupted).toEqual(meter);
    if (period === 1) expect(interruptions).toBeGreaterThan(3);
  }
});

it.each([
  ['cost', 'xs.all(x, xs.all(y, xs.all(z, x + y + z > 0)))'],
  ['work', 'xs.all(x, xs.all(y, many == many))'],
])('is limited by its %s, whenever it is interrupted', (_what, text) => {
  const program = compileExpression(text, { variables: { ...variables, many: listType(intType) } });
  const many = Array.from({ length: 60_000 }, (_, index) => index);
  const given = { ...values, xs: many.slice(1, 200), many };
  const meter = { cost: 0 };
  expect(resultOf(() => program.evaluate(given, { meter }))).toContain('cost limit exceeded');
  const interrupted = { cost: 0 };
  const interruptions = { isDue: () => true, interval: 50_000 };
  const steps = program.evaluateInSteps(given, { meter: interrupted, interruptions });
  const result = resultOf(() => {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  });
  expect(result).toContain('cost limit exceeded');
  expect(interrupted).toEqual(meter);
});

it('can be interrupted before each call with a large operand, and repeats none', () => {
  const text = "long.lowerAscii().split('').join('-').size() + (long.contains('x') ? 1 : 0) + long.charAt(3).size()";
  const program = compileExpression(text, { variables: { long: stringType } });
  const given = { long: 'aB'.repeat(30_000) };
  const meter = { cost: 0 };
  const whole = resultOf(() => program.evaluate(given, { meter }));
  const interrupted = { cost: 0 };
  const interruptions = { isDue: () => true, interval: 1 };
  const steps = program.evaluateInSteps(given, { meter: interrupted, interruptions });
  let turns = 1;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) turns++;
  expect(step.value).toEqual(whole);
  expect(interrupted).toEqual(meter);
  expect(turns).toBe(5);
});

it('does not make a call that costs too much', () => {
  const program = compileExpression('sets.contains(xs, xs)', { variables });
  let reads = 0;
  const xs = new Proxy(new Array<number>(20_000).fill(1), {
    get: (target, key) => {
      if (key !== 'length') reads++;
      return Reflect.get(target, key) as unknown;
    },
  });
  expect(() => program.evaluate({ xs })).toThrow('cost limit exceeded');
  expect(reads).toBe(0);
});

it('lets others have their turn', async () => {
  const program = compileExpression('xs.all(x, xs.all(y, x + y >= 0))', { variables });
  const xs = Array.from({ length: 2_000 }, (_, index) => index);
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await expect(inTurns(program.evaluateInSteps({ xs }, { costLimit: 4_000_000 }))).rejects.toThrow('cost limit');
  clearInterval(count);
  expect(turns).toBeGreaterThan(1);
});
