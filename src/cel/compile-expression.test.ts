import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/codec/cpu-time.ts';
import { CelError } from './cel-error.ts';
import { dynType, intType, listType, mapType, objectType, stringType } from './checker/cel-type.ts';
import { compileExpression } from './compile-expression.ts';

const variables = {
  claims: mapType(stringType, dynType),
  user: objectType('kubernetes.UserInfo', {
    username: stringType,
    uid: stringType,
    groups: listType(stringType),
    extra: mapType(stringType, listType(stringType)),
  }),
  anything: dynType,
};
const values = {
  claims: {
    email: 'Jané@Example.com',
    level: 3,
    share: 0.5,
    admin: true,
    nothing: null,
    roles: ['dev', 'ops'],
    realm: { access: ['x'], constructor: 'c', __proto: 'p' },
    constructor: 'named like a property of every object',
  },
  user: { username: 'jane', uid: 'u1', groups: ['dev', 'ops'], extra: { 'example.com/a': ['1', '2'] } },
  anything: [1, 2, 3],
};

const evaluated = (text: string): unknown =>
  compileExpression(text, { variables, hasBindings: true }).evaluate(values).value;

function problemOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
  return 'none';
}

describe('expressions', () => {
  it.each<[string, unknown]>([
    ['claims.email', 'Jané@Example.com'],
    ['claims.level + 1', 4n],
    ['claims.level == 3', true],
    ['claims.level > 2.5', true],
    ['claims.share == 0.5', true],
    ['claims.nothing == null', true],
    ["'dev' in claims.roles", true],
    ["'email' in claims", true],
    ["'toString' in claims", false],
    ['has(claims.email) && !has(claims.phone)', true],
    ['has(claims.realm.access)', true],
    ['claims.?email_verified.orValue(true) == true', true],
    ["claims.?realm.?access.orValue([])[0] + claims[?'x'].orValue('y')", 'xy'],
    ['claims.constructor', 'named like a property of every object'],
    ['claims.realm.constructor', 'c'],
    ["claims.roles.map(r, 'oidc:' + r)", ['oidc:dev', 'oidc:ops']],
    ["claims.roles.filter(r, r.startsWith('d'))", ['dev']],
    ["claims.roles.exists_one(r, r == 'ops')", true],
    ["user.groups.all(g, !g.startsWith('system:'))", true],
    ["user.extra['example.com/a'][1]", '2'],
    ["user.username + '/' + user.uid", 'jane/u1'],
    ['anything.map(a, a * 2).sum()', 12n],
    ["claims.admin ? 'root' : 'none'", 'root'],
    ['cel.bind(x, claims.email, x.size())', 16n],
    ['claims.roles + [claims.email]', ['dev', 'ops', 'Jané@Example.com']],
    ['type(claims.level) == int && type(claims.email) == string', true],
    ["claims.missing == 'a' || true", true],
    ['claims.roles.exists(r, claims.level == 3 && r == "ops")', true],
  ])('%s', (text, expected) => {
    expect(evaluated(text)).toEqual(expected);
  });

  it('reports the result type', () => {
    const typeOf = (text: string) => compileExpression(text, { variables, hasBindings: true }).resultType;
    expect(typeOf('claims.email')).toBe('dyn');
    expect(typeOf('user.groups')).toBe('list(string)');
    expect(typeOf("claims.email == 'a'")).toBe('bool');
  });

  it.each<[string, string]>([
    ['', 'compilation failed: ERROR: <input>:1:0: Syntax error: '],
    ['claims.', 'compilation failed: ERROR: <input>:1:8: Syntax error: '],
    ['foo', "compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo\n | ^"],
    [
      '1 ==\n  bar',
      "compilation failed: ERROR: <input>:2:3: undeclared reference to 'bar' (in container '')\n |   bar\n | ..^",
    ],
    ["1 + 'a'", "found no matching overload for '_+_' applied to '(int, string)'"],
    ['user.nickname', "undefined field 'nickname'"],
    ["'a'.lowerAscii(1)", "found no matching overload for 'lowerAscii' applied to 'string.(int)'"],
    ["'a'.undefined()", "undeclared reference to 'undefined' (in container '')"],
    ['cel.bind(x, 1, 2)', "undeclared reference to 'bind' (in container '')"],
    ["claims.email.matches('(')", 'compilation failed: ERROR: <input>:1:22: invalid matches argument'],
    [
      `'${'a'.repeat(100_000)}'`,
      'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, limit 100000',
    ],
    [`${'1 + '.repeat(1_900)}1`, 'ERROR: <input>:-1:0: max recursion depth exceeded'],
    [`${'('.repeat(1_900)}1${')'.repeat(1_900)}`, 'ERROR: <input>:-1:0: expression recursion limit exceeded: 250'],
  ])('does not compile %s', (text, expected) => {
    expect(problemOf(() => compileExpression(text, { variables }))).toContain(expected);
  });

  it('refuses other result types', () => {
    const compile =
      (text: string, ...resultTypes: string[]) =>
      () =>
        compileExpression(text, { variables, resultTypes });
    expect(problemOf(compile('claims.admin', 'bool'))).toBe('must evaluate to bool');
    expect(problemOf(compile('1', 'bool', 'string'))).toBe('must evaluate to one of [bool string]');
    expect(problemOf(compile('claims.admin == true', 'bool'))).toBe('none');
  });

  it.each<[string, string]>([
    ['int(1e99)', 'integer overflow'],
    ['claims.level == 3 || int(18446744073709551615u) > 0', 'integer overflow'],
    ['uint(-1) == 0u', 'unsigned integer overflow'],
    ["bool('TrUe')", "type conversion error from 'string' to 'bool'"],
    ["string(b'\\xff')", 'invalid UTF-8 in bytes, cannot convert to string'],
    ["string(dyn(b'\\xff'))", 'invalid UTF-8 in bytes, cannot convert to string'],
    ["{1: 2}[dyn(b'')] == 1", 'invalid qualifier type: types.Bytes'],
    ['{null: 1}[null]', 'invalid qualifier type: types.Null'],
    ['claims.roles[?dyn(null)]', 'invalid qualifier type: types.Null'],
    ['anything[[1]]', 'invalid qualifier type: *types.baseList'],
    ["claims.email.find('(')", 'error parsing regexp: missing closing ): `(`'],
    ["claims.email.matches(string('['))", 'error parsing regexp: missing closing ]: `[`'],
  ])('cannot plan %s', (text, expected) => {
    expect(problemOf(() => compileExpression(text, { variables }))).toBe(`program instantiation failed: ${expected}`);
    // The type of the result comes first.
    expect(problemOf(() => compileExpression(text, { variables, resultTypes: ['bytes'] }))).toBe(
      'must evaluate to bytes',
    );
  });

  it.each<[string, string]>([
    ['claims.phone', 'no such key: phone'],
    ['claims.roles[7]', 'index out of bounds: 7'],
    ['claims.email + 1', 'no such overload'],
    ['1 / 0', 'division by zero'],
    ['claims.email.substring(99)', 'index out of range: 99'],
    ["claims.level.startsWith('a')", 'no such overload'],
    ["int(claims.email + '')", "type conversion error from 'string' to 'int'"],
    ['claims.email ? 1 : 2', 'no such overload'],
  ])('has no value for %s', (text, expected) => {
    expect(problemOf(() => evaluated(text))).toContain(expected);
  });

  it('reports which fields are read', () => {
    const selects = (text: string, field: string) =>
      compileExpression(text, { variables, hasBindings: true }).selects('claims', field);
    expect(selects("claims.roles.exists(r, r == claims.?email.orValue(''))", 'email')).toBe(true);
    expect(selects('has(claims.email)', 'email')).toBe(true);
    expect(selects('user.uid == claims.sub ? [claims.email] : []', 'email')).toBe(true);
    expect(selects('claims.realm.email', 'email')).toBe(false);
    expect(selects("claims['email']", 'email')).toBe(false);
  });
});

describe('bounds', () => {
  const limit = 'operation cancelled: actual cost limit exceeded';
  const long = Array.from({ length: 2_000 }, (_, index) => index);
  const evaluate = (text: string) =>
    compileExpression(text, { variables: { items: listType(intType) }, hasBindings: true }).evaluate({ items: long });

  it.each([
    'items.all(a, items.all(b, items.all(c, a + b + c >= 0)))',
    'items.map(a, items.map(b, items))',
    'items.exists(a, items.exists(b, items.exists(c, c > 5000)))',
    `${'cel.bind(t, t + t, '.repeat(30)}t${')'.repeat(30)}`.replace('t + t', "'x' + 'x'"),
    `${'cel.bind(l, l + l, '.repeat(30)}l.size()${')'.repeat(30)}`.replace('l + l', '[1] + [1]'),
    "items.map(a, 'abc').join('0123456789'.replace('', '0123456789'.replace('', '0123456789'.replace('', '0123456789'))))",
    "items.map(a, '(x+x+)+y').exists(p, items.map(a, 'x').join('').matches(p))",
    'items.all(a, items.all(b, items.all(c, c >= 0))) || true',
    "items.all(a, items.all(b, timestamp('2024-01-01T00:00:00Z').getHours('Asia/Tokyo') == 9))",
    "items.all(a, items.all(b, !'x'.matches('(y{100}){9}' + string(a * 10000 + b))))",
    `cel.bind(a, items.map(a, 'aaaaaaaaaaaaaaaaaaaaaaaaa').join(''), items.all(b, !(a + a).contains('b' + a)))`,
    `cel.bind(a, items.map(a, '9999999999999999').join(''), items.all(b, duration(a) == duration(a) || true))`,
    'sets.contains(items.map(a, items), items.map(a, items))',
  ])('stops %s', (text) => {
    const start = process.cpuUsage();
    expect(problemOf(() => evaluate(text))).toBe(limit);
    expect(cpuTime(start)).toBeLessThan(40_000);
  });

  it('stops comparing values with many shared parts', () => {
    const tree = (name: string): string =>
      Array.from(
        { length: 28 },
        (_, index) => `cel.bind(${name}${index + 1}, [${name}${index}, ${name}${index}], `,
      ).join('');
    const text = `cel.bind(a0, [1], cel.bind(b0, [1], ${tree('a')}${tree('b')}a28 == b28${')'.repeat(58)}`;
    expect(problemOf(() => evaluate(text))).toBe(limit);
  });

  it('bounds types and results that use their parts twice at every level', () => {
    const nested = (expression: string) =>
      Array.from(
        { length: 60 },
        (_, index) => `cel.bind(a${index + 1}, ${expression.replaceAll('a', `a${index}`)}, `,
      ).join('');
    const close = ')'.repeat(61);
    expect(problemOf(() => evaluate(`cel.bind(a0, items, ${nested('[a, a]')}a60${close}`))).toBe(limit);
    expect(problemOf(() => evaluate(`cel.bind(a0, 1, ${nested('{a: a}')}a60${close}`))).toBe('unsupported key type');
    const patterns = Array.from({ length: 500 }, (_, index) => `'x'.matches('(y{100}){9}${index}')`).join(' || ');
    expect(problemOf(() => evaluate(patterns))).toBe(limit);
  });

  it('stops searching for a long substring in a long text', () => {
    const variables = { text: stringType, sought: stringType };
    const values = { text: 'a'.repeat(1_000_000), sought: `b${'a'.repeat(300_000)}` };
    for (const search of [
      'contains(sought)',
      'indexOf(sought) < 0',
      "replace(sought, '') == text",
      'split(sought).size() == 1',
    ]) {
      const program = compileExpression(`text.${search}`, { variables });
      expect(problemOf(() => program.evaluate(values))).toBe(limit);
      expect(program.evaluate({ text: 'a', sought: 'b' })).toBeDefined();
    }
  });

  it('gives every evaluation its own budget', () => {
    const program = compileExpression('items.all(a, a >= 0)', { variables: { items: listType(intType) } });
    for (let round = 0; round < 50; round++) {
      expect(program.evaluate({ items: long }, { costLimit: 50_000 }).value).toBe(true);
    }
  });

  it('refuses values that are nested too deep', () => {
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`);
    const program = compileExpression('deep', { variables: { deep: dynType } });
    expect(problemOf(() => program.evaluate({ deep }))).toBe('value is nested deeper than 200 levels');
  });
});
