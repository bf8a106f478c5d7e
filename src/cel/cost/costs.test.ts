import { describe, expect, it } from 'vitest';
import { CelError } from '../cel-error.ts';
import {
  boolType,
  bytesType,
  type CelType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
} from '../checker/cel-type.ts';
import { compileExpression } from '../compile-expression.ts';
import { unbounded } from './call-cost.ts';

const text50: CelType = { kind: 'string', maxElements: 50 };
const item = objectType('item', { name: text50, weight: intType });
const variables = {
  self: objectType('self', {
    replicas: intType,
    minimum: intType,
    name: text50,
    free: stringType,
    names: { ...listType(text50), maxElements: 10 },
    items: { ...listType(item), maxElements: 10 },
    labels: { kind: 'map', keys: { kind: 'string', maxElements: 0 }, values: text50, maxElements: 5 },
    nested: objectType('nested', { value: intType }),
  }),
  a: boolType,
  b: boolType,
  numbers: listType(intType),
  lists: listType(listType(intType)),
  map: mapType(stringType, listType(intType)),
  text: stringType,
  sought: stringType,
  bytes: bytesType,
} satisfies Record<string, CelType>;
const values = {
  self: {
    replicas: 5,
    minimum: 2,
    name: 'abcdefghijk',
    free: 'x',
    names: ['a', 'b'],
    items: [{ name: 'n', weight: 1 }],
    labels: { k: 'v' },
    nested: { value: 1 },
  },
  a: true,
  b: false,
  numbers: [1, 2, 3, 4, 5],
  lists: [[1], [2, 3]],
  map: { k: [] },
  text: 'x'.repeat(500),
  sought: 'y'.repeat(500),
  bytes: Buffer.from('z'.repeat(500)).toString('base64'),
};

const program = (expression: string) => compileExpression(expression, { variables, hasBindings: true });

describe('estimated costs', () => {
  it.each<[string, number, number]>([
    ['true', 0, 0],
    ['self', 1, 1],
    ['self.nested.value', 3, 3],
    ['has(self.nested.value)', 2, 2],
    ['has(self.nested)', 1, 1],
    ['self.minimum <= self.replicas', 5, 5],
    // The sizes of numbers are declared as zero, so that comparing them costs nothing.
    ['self.minimum == self.replicas', 4, 4],
    ["self.name == 'abc'", 3, 3],
    ['self.name == self.name', 5, 9],
    ['self.free == self.free', 5, 4 + Math.ceil(unbounded * 0.1)],
    ['a && b', 1, 2],
    ['a || b', 1, 2],
    ['a ? self.replicas : 1', 1, 3],
    ['[1, 2, 3]', 10, 10],
    ["{'a': 1}", 30, 30],
    ['1 in [1, 2, 3]', 13, 13],
    ["self.name in ['a', 'b']", 14, 14],
    ['self.names.all(n, true)', 3, 33],
    ["self.names.all(n, n.startsWith('abc'))", 3, 53],
    ["self.names.exists(n, n.contains('abc'))", 3, 3 + 10 * (3 + 1 + 1 + 5)],
    ['self.items.all(i, i.weight > 0)', 3, 63],
    ['self.items.map(i, i.name)', 13, 13 + 10 * (1 + 10 + 2 + 1)],
    ['self.items.filter(i, i.weight > 1).size()', 14, 14 + 10 * (3 + 13)],
    ['self.items.exists_one(i, i.weight == 1)', 4, 4 + 10 * (2 + 2)],
    ['self.labels.all(k, self.labels[k].size() < 10)', 3, 3 + 5 * (3 + 6)],
    ["self.name.matches('[a-z]+')", 4, 2 + Math.ceil(51 * 0.1) * 2],
    ['self.names.isSorted()', 2, 2 + 10 * 6],
    ["self.names.join(',')", 2, 2 + Math.ceil((500 + 9) * 0.1)],
    ["self.name.split('')", 2, 12],
    ["self.name.split('')[0].size() > 0", 5, 15],
    ["self.name.replace('', 'ab') == self.name", 5, 2 + 10 + 2 + 5],
    ["'0123456789'.lowerAscii() + 'a'", 3, 3],
    ["ip('192.168.0.1').family()", 3, 3],
    ["ip.isCanonical('192.168.0.1')", 3, 3],
    ["cidr('192.168.0.0/16').containsCIDR('192.0.0.0/30')", 7, 11],
    ["cidr('192.168.0.0/16').containsIP(ip('192.169.0.1'))", 5, 8],
    ["url('https:://kubernetes.io/').getScheme()", 4, 4],
    ["quantity('200M') == quantity('200M')", 3, 3],
    ["quantity('50k').add(20).sub(quantity('100k')).asInteger() > 0", 6, 6],
    ['sets.contains([1, 2, 3, 4], [2, 3])', 29, 29],
    ['sets.equivalent([1], [1, 1])', 25, 25],
    ["strings.quote('ABCDEFGHIJ abcdefghij')", 3, 3],
    ["'abc 123 def 123'.find('123')", 2, 2],
    ["format.dns1123Label().validate('0123456789')", 33, 33],
    ['dyn(self.name) == self.free', 6, 5 + 5],
    ['cel.bind(x, self.name, x + x)', 14, 24],
    ['text.size() > 1', 3, 3],
    ['self.names.slice(1, 3)', 2 + 2 + 11, 2 + 2 + 11],
    ['self.names.slice(self.minimum, self.replicas)', 6 + 10 + 11, 6 + 10 + 11],
    ['self.names.slice(3, 1)', unbounded, unbounded],
    ['lists.range(7)', 7 + 11, 7 + 11],
    ['lists.range(self.replicas)', unbounded, unbounded],
    ['self.names.reverse()', 2 + 11, 2 + 10 + 11],
    ['self.names.distinct()', 2 + 11, 2 + 2 * 100 + 11],
    ['self.names.sort()', 2 + 11, 2 + 210 + 11],
    ['[[1], [2]].flatten()', 30 + 2 + 11, 30 + 2 + 11],
    ['[[1], [2]].flatten(3)', 30 + 6 + 11, 30 + 6 + 11],
    ['self.names.sort().all(n, true)', 3 + 11, 3 + 210 + 11 + 100 * 3],
    ['self.names.first()', 3, 3],
    ['lists.all(l, l.all(n, n > 0))', 2, unbounded],
  ])('%s', (expression, min, max) => {
    expect(program(expression).estimatedCost).toEqual({ min, max });
  });
});

describe('estimated costs with the sizes of one variable', () => {
  const root = objectType('root', {
    text: text50,
    pairs: {
      ...listType(objectType('pair', { name: text50, tags: { ...listType(text50), maxElements: 4 } })),
      maxElements: 10,
    },
    optional: { ...listType(text50), maxElements: 10 },
  });
  const declared = { self: root, word: stringType };
  const cost = (expression: string, sizeRoot?: string) =>
    compileExpression(expression, { variables: declared, ...(sizeRoot !== undefined && { sizeRoot }) }).estimatedCost;

  it.each<[string, number]>([
    // Paths that begin with anything else begin with the root, which has no size of its own.
    ["word == 'abc'", 1],
    ['type(word) == string', 3],
    ["'abc/def'.split('/')[0].contains('/')", 3],
    ["'abc'.split('').all(c, c.matches('x+'))", 1 + 1 + 3 * (1 + 1 + 1 + 1 * 1 + 1)],
    ["(has(self.optional) ? self.optional : []).exists(o, o.contains('/'))", 11 + 1 + 10 * (3 + 1 + 1)],
    ['self.?optional.orValue([]).size() == 3', 2 + 1 + 10 + 1 + 1],
    // The way to the tags is overwritten by the way to the name, which has 50 characters.
    ['self.pairs.all(p, p.tags.all(t, t != p.name))', 3 + 10 * (3 + 3 + 50 * (3 + 3 + 5))],
    ['self.pairs.all(p, p.tags.all(t, t != self.text))', 3 + 10 * (3 + 3 + 4 * (3 + 3 + 5))],
  ])('%s', (expression, max) => {
    expect(cost(expression, 'self').max).toBe(max);
  });

  it('are those of each variable otherwise', () => {
    expect(cost("word == 'abc'", 'self')).toEqual({ min: 1, max: 1 });
    expect(cost("word.contains('a')").max).toBeGreaterThan(1e15);
  });
});

describe('actual costs', () => {
  it.each<[string, number]>([
    ['true', 0],
    ['self.nested.value', 3],
    ['has(self.nested.value)', 2],
    ['self.minimum <= self.replicas', 5],
    ['self.minimum == self.replicas', 5],
    ['a || b', 1],
    ['b || a', 2],
    ['b && a', 1],
    ['1 + 1', 1],
    ['true ? 1 : 2', 0],
    ['false ? false : 1 > 3', 1],
    ['(1 > 2 ? 5 : 3) > 1', 2],
    ['(1 > 2 || 2 > 1) == true', 3],
    ['(a ? numbers : numbers).all(n, true)', 1 + 5 * 3 + 1],
    // Constant lists are created once.
    ['[1, 2, 3].all(x, true)', 10],
    ['2 in [1, 2, 3]', 0],
    ['2 in numbers', 6],
    ['[a].size()', 12],
    ["{'a': a}.size()", 32],
    ['numbers.all(n, true)', 1 + 5 * 3 + 1],
    ['numbers.exists(n, n == 2)', 1 + 2 * (3 + 1 + 2) + 3 + 1],
    ['numbers.map(n, n * 2)', 1 + 5 * (1 + 10 + 2 + 1) + 1],
    ['map.all(k, map[k].size() > 3)', 1 + 2 + 1 + 4 + 1],
    ['map.all(k, map[k].all(x, true))', 1 + 2 + 1 + 3 + 1],
    ["text.matches('[0-9]')", 103],
    ['text.contains(sought)', 2502],
    ['text.startsWith(sought)', 52],
    ['text.size()', 2],
    ['string(bytes)', 51],
    ['bytes(text)', 51],
    ["'12345678901234567890' == '123456789012345678901234567890'", 2],
    ["'abcdefg'.contains(self.name + self.free)", 4 + 2 + 2],
    ['numbers.sum()', 6],
    ['numbers[1]', 2],
    ['self.?name', 2],
    ['self.?names[?7]', 2],
    ["ip('192.168.0.1').family()", 3],
    ["cidr('192.168.0.0/16').containsIP('192.169.0.1')", 5],
    ["cidr('192.168.0.0/16').containsCIDR('192.0.0.0/30')", 7],
    ["quantity('2M') == quantity('0.002G')", 3],
    ['sets.contains(numbers, numbers)', 28],
    ["'ABCDEFGHIJ abcdefghij'.lowerAscii() == 'abcdefghij ABCDEFGHIJ'.lowerAscii()", 9],
    ["format.dns1123Label().validate('0123456789')", 17],
    ['cel.bind(x, numbers.size(), x + x)', 5],
    ['numbers.slice(1, 3)', 1 + 2 + 11],
    ['lists.flatten()', 1 + 2 + 11],
    ['lists.flatten(3)', 1 + 2 * 3 + 11],
    ['lists.range(7)', 7 + 11],
    ['numbers.reverse()', 1 + 5 + 11],
    ['numbers.distinct()', 1 + 2 * 25 + 11],
    ['self.names.distinct()', 2 + Math.floor(2.1 * 4) + 11],
    ['numbers.sort()', 1 + 2 * 25 + 11],
    ['self.names.sort()', 2 + Math.floor(2.1 * 4) + 11],
    ['numbers.sortBy(n, n * 2)', 1 + 1 + 1 + 5 * (1 + 10 + 2 + 1) + 1 + 2 * 25 + 11],
    ['numbers.first()', 2],
    ['[optional.of(a)].unwrapOpt()', 1 + 1 + 10 + 1],
  ])('%s', (expression, cost) => {
    expect(program(expression).evaluate(values).cost).toBe(cost);
  });

  it.each([
    'self.minimum <= self.replicas',
    'self.items.all(i, i.weight > 0 && i.name.size() < 10)',
    "self.names.map(n, n + 'x').exists(n, n == 'bx')",
    'self.labels.all(k, self.labels[k] != self.name)',
  ])('are within the estimate for %s', (expression) => {
    const { min, max } = program(expression).estimatedCost;
    const { cost } = program(expression).evaluate(values);
    expect(cost).toBeGreaterThanOrEqual(min);
    expect(cost).toBeLessThanOrEqual(max);
  });

  it('stop an evaluation', () => {
    const sum = program('self.minimum + self.replicas');
    expect(sum.evaluate(values, { costLimit: 5 })).toEqual({ value: 7n, cost: 5 });
    let problem: unknown;
    try {
      sum.evaluate(values, { costLimit: 4 });
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(CelError);
    expect(problem).toMatchObject({
      code: 'cost-limit',
      message: 'operation cancelled: actual cost limit exceeded',
    });
  });
});
