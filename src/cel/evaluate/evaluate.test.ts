import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../../test/is-long.ts';
import { runSync } from '../../meta/turns.ts';
import { CelError } from '../cel-error.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from '../checker/cel-type.ts';
import { compileExpression } from '../compile-expression.ts';

const element = objectType('element', { key: stringType, value: intType });
const variables = {
  self: objectType('object', {
    name: stringType,
    count: intType,
    share: doubleType,
    on: boolType,
    data: bytesType,
    since: timestampType,
    period: durationType,
    absent: stringType,
    nothing: stringType,
    a__dot__b: intType,
    __namespace__: stringType,
    set: { ...listType(stringType), listType: 'set' },
    entries: { ...listType(element), listType: 'map', listKeys: ['key'] },
    labels: mapType(stringType, stringType),
  }),
  schema: { ...objectType('schema', { name: stringType, nothing: stringType }), nullsAreAbsent: true },
  any: dynType,
} satisfies Record<string, CelType>;
const values = {
  self: {
    name: 'jané😀',
    count: 3,
    share: 2,
    on: true,
    data: 'aGk=',
    since: '2024-02-29T12:30:45.5+01:00',
    period: '90m',
    nothing: null,
    'a.b': 7,
    namespace: 'ns',
    set: ['a', 'b'],
    entries: [
      { key: 'x', value: 1 },
      { key: 'y', value: 2 },
    ],
    labels: { 'example.com/a': '1', constructor: 'c' },
  },
  schema: { name: 'a', nothing: null },
  any: { n: 1, f: 1.5, list: [1, 'a', { b: null }], s: 'text' },
};

const evaluated = (text: string): unknown =>
  compileExpression(text, { variables, hasBindings: true }).evaluate(values).value;

function problemOf(text: string): string {
  try {
    evaluated(text);
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
  return 'none';
}

/** All must be true. */
const truths: Readonly<Record<string, readonly string[]>> = {
  'messages of protobuf': [
    'google.protobuf.Int64Value{} == 0 && google.protobuf.UInt64Value{} == 0u && google.protobuf.DoubleValue{} == 0.0',
    "google.protobuf.BoolValue{} == false && google.protobuf.StringValue{} == '' && google.protobuf.BytesValue{} == b''",
    'google.protobuf.Int32Value{value: -7} == -7 && google.protobuf.Int32Value{value: 7} != null',
    'google.protobuf.FloatValue{value: 0.1} != 0.1 && google.protobuf.FloatValue{value: 0.5} == 0.5',
    'google.protobuf.Value{null_value: google.protobuf.NullValue.NULL_VALUE} == null',
    'google.protobuf.NullValue.NULL_VALUE == 0',
    "google.protobuf.Value{} == null && google.protobuf.Value{string_value: 'a'} == 'a'",
    "google.protobuf.Struct{fields: {'a': 1}}.a == 1 && google.protobuf.ListValue{} == []",
    "google.protobuf.Timestamp{seconds: 60} == timestamp('1970-01-01T00:01:00Z')",
    "google.protobuf.Duration{seconds: 1, nanos: 5} == duration('1.000000005s')",
  ],
  'integer math': [
    '7 / 2 == 3 && -7 / 2 == -3 && 7 % 3 == 1 && -7 % 3 == -1',
    '2 * 3 + 4 == 10 && 2 + 3 * 4 == 14 && (2 + 3) * 4 == 20',
    '5u / 2u == 2u && 5u % 2u == 1u',
    '-(-5) == 5 && --5 == 5',
  ],
  comparisons: [
    "1 < 2 && 2 <= 2 && 'a' < 'b' && false < true && b'a' < b'b'",
    '1 < 1.5 && 2u > 1 && 1.0 <= 1u',
    'dyn(1) == dyn(1.0) && dyn(1u) == dyn(1) && dyn(1) != dyn("1")',
    '[1, 2] == [1, 2] && [1] != [2] && {"a": 1} == {"a": 1} && {"a": 1} != {"a": 2}',
    '[dyn(1), dyn(2.0)] == [dyn(1.0), dyn(2)]',
    "'\\U0001F600' > '\\uFFFD'",
    'double("NaN") != double("NaN") && [double("NaN"), 1.0].isSorted() && [2.0, double("NaN")].max() == 2.0',
    '9007199254740993 != 9007199254740992 && dyn(9007199254740993) == dyn(9007199254740992.0)',
    'dyn(9223372036854775807) == 9223372036854775808.0 && dyn(18446744073709551615u) == 18446744073709551616.0',
    '!(9223372036854775807 < 9223372036854775808.0) && 9223372036854775808.0 <= 9223372036854775807',
    '!(9223372036854775808.0 > 9223372036854775807) && 18446744073709551615u >= 18446744073709551616.0',
    '9223372036854775807 < 18446744073709551615u && -1 < 0u && 1u > -1.5',
  ],
  logic: [
    '(1 / 0 == 1 || true) && (true || 1 / 0 == 1)',
    '!(false && 1 / 0 == 1) && !(1 / 0 == 1 && false)',
    '[1, 0].exists(x, 1 / x == 1) && ![0, 1].all(x, 1 / x == 2)',
    "!has(self.absent) || self.absent == 'x'",
  ],
  macros: [
    '[1, 2, 3].exists_one(x, x > 2) && ![1, 2].exists_one(x, x > 0)',
    "{'a': 1}.all(k, k == 'a') && {'a': 1}.exists(k, k == 'a')",
    '[1, 2, 3].map(x, x > 1, x * x) == [4, 9] && [1, 2].filter(x, x > 1) == [2]',
    '[[1], [2, 3]].map(l, l.map(x, x + 1)) == [[2], [3, 4]]',
    'cel.bind(x, 1 / 0, true)',
    'cel.bind(x, 2, cel.bind(y, x + 1, x * y)) == 6',
    '[1, 2].all(i, v, v == i + 1) && {"a": 1}.exists(k, v, k == "a" && v == 1)',
    '[3, 4].existsOne(i, v, i == 1 && v == 4)',
    '[3, 4].transformList(i, v, i * v) == [0, 4] && [3, 4].transformList(i, v, v > 3, v) == [4]',
    '["a", "b"].transformMap(i, v, v + "!") == {0: "a!", 1: "b!"}',
    '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v * 10) == {"b": 20}',
    '{"a": "x"}.transformMapEntry(k, v, {v: k}) == {"x": "a"}',
  ],
  fields: [
    'self.count == 3 && self.share == 2.0 && self.on',
    "self.data == b'hi' && string(self.data) == 'hi'",
    "self.since == timestamp('2024-02-29T11:30:45.5Z') && self.period == duration('1h30m')",
    'self.a__dot__b == 7 && self.__namespace__ == "ns"',
    'has(self.name) && !has(self.absent) && has(self.nothing)',
    '!has(schema.nothing) && !schema.?nothing.hasValue() && schema.name == "a"',
    'type(dyn(self)) == map && has(any.list[2].b)',
    "self.labels['example.com/a'] == '1' && self.labels.constructor == 'c' && !('toString' in self.labels)",
    'any.n == 1 && any.f == 1.5 && any.list[1] == "a" && any.list[2].b == null',
    'size(any) == 4 && "n" in any && type(any.n) == int && type(any.f) == double',
  ],
  strings: [
    "size(self.name) == 5 && self.name.charAt(4) == '😀'",
    "self.name.startsWith('jan') && self.name + '!' == 'jané😀!'",
    "string(1) + string(1.5) + string(true) == '11.5true' && string(1000000.0) == '1e+06'",
    "bytes('é').size() == 2 && string(b'\\xc3\\xa9') == 'é'",
  ],
  lists: [
    '[1, 2][1] == 2 && 1 in [1] && !(3 in [1]) && size([]) == 0',
    '[1] + [2] == [1, 2] && [1, 2][dyn(1.0)] == 2',
    "self.set == ['b', 'a'] && self.set + ['b', 'c'] == ['a', 'b', 'c'] && self.set != ['a', 'c']",
    'self.entries == [self.entries[1], self.entries[0]]',
    '(self.entries + self.entries).size() == 2',
  ],
  maps: [
    "{1: 'a'}[dyn(1.0)] == 'a' && {1u: 'b'}[dyn(1)] == 'b' && {1: 'a'}[dyn(1u)] == 'a' && !(dyn(1) in {1.0: 'c'})",
    'dyn({dyn(1): 1, dyn(1u): 2, dyn(1.0): 3}).size() == 3 && {dyn(1): 1, dyn(1u): 2}[dyn(1u)] == 2',
    "{'a': 1, 'a': 2} == {'a': 2} && {'a': 1, ?'a': optional.none()} == {} && {null: 1}[any.list[2].b] == 1",
    "{dyn('a'): null}['a'] == null && {dyn(1u): null}[dyn(1)] == null",
    "'a' in {'a': 1} && {'a': {'b': 1}}.a.b == 1 && {'a': 1}['a'] == 1",
    "[?optional.none(), ?optional.of(1)] == [1] && {?'a': optional.none()} == {}",
  ],
  timestamps: [
    'self.since.getFullYear() == 2024 && self.since.getMonth() == 1 && self.since.getDate() == 29',
    'self.since.getDayOfMonth() == 28 && self.since.getDayOfWeek() == 4 && self.since.getDayOfYear() == 59',
    'self.since.getHours() == 11 && self.since.getMinutes() == 30 && self.since.getSeconds() == 45',
    "self.since.getMilliseconds() == 500 && self.since.getHours('Asia/Tokyo') == 20 && self.since.getHours('-02:00') == 9",
    "timestamp('2024-01-01T00:00:00Z') + duration('1s') - timestamp('2024-01-01T00:00:00Z') == duration('1s')",
    "string(timestamp('2024-01-01T00:00:00.120Z')) == '2024-01-01T00:00:00.12Z' && timestamp(60) == timestamp('1970-01-01T00:01:00Z')",
    "self.period.getMinutes() == 90 && self.period.getHours() == 1 && duration('1.5s').getMilliseconds() == 1500",
  ],
  optionals: [
    "self.?absent.orValue('none') == 'none' && self.?name.hasValue()",
    'any.?list[?0].value() == 1 && !any.?list[?9].hasValue() && !any.?x.y.hasValue()',
    'optional.none().or(optional.of(1)).value() == 1 && optional.of(1).orValue(1 / 0) == 1',
    'optional.ofNonZeroValue(0).hasValue() == false && optional.of(1) == optional.of(1)',
    "optional.ofNonZeroValue(timestamp(0)).hasValue() && !optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue()",
    'self.?name.optMap(n, n.size()).orValue(0) == 5',
  ],
  conversions: [
    "int('-5') == -5 && uint(3) == 3u && double('1e3') == 1000.0 && bool('true')",
    "int(2.9) == 2 && int(-2.9) == -2 && int(timestamp('1969-12-31T23:59:59.5Z')) == -1",
    'type(dyn([])) == list && type({}) == map && type(null) == null_type && type(type(1)) == type',
  ],
  kubernetes: [
    "quantity('1.5Gi').isGreaterThan(quantity('1G')) && quantity('200M').compareTo(quantity('0.2G')) == 0",
    "quantity('50k').add(20) == quantity('50020') && quantity('50k').sub(quantity('20')).asInteger() == 49980",
    "quantity('0.5').isInteger() == false && quantity('1500m').asApproximateFloat() == 1.5 && quantity('-1').sign() == -1",
    "isQuantity('20Mi') && !isQuantity('20Mo')",
    "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-alpha.1').isLessThan(semver('1.0.0'))",
    "semver('1.0.0-alpha.9').compareTo(semver('1.0.0-alpha.10')) == -1 && semver('1.2.3').minor() == 2",
    "!isSemver('v1.0') && isSemver('v1.0', true) && semver('01.01', true) == semver('1.1.0') && !isSemver('1.0.0-01')",
    "format.dns1123Label().validate('a-b') == optional.none() && format.dns1123Label().validate('A').hasValue()",
    "format.named('uuid').value().validate('123e4567-e89b-12d3-a456-426614174000').hasValue() == false",
    "!format.named('x').hasValue() && format.date().validate('2024-13-01').value() == ['invalid date']",
    "format.uri().validate('/a') == optional.none() && format.byte().validate('aGk').value() == ['invalid base64']",
  ],
};

for (const [topic, expressions] of Object.entries(truths)) {
  describe(topic, () => {
    it.each(expressions)('%s', (text) => {
      expect(evaluated(text)).toBe(true);
    });
  });
}

describe('run-time errors', () => {
  it.each([
    ['self.absent', 'no such key: absent'],
    ["self.labels['x']", 'no such key: x'],
    ['[1][5]', 'index out of bounds: 5'],
    ["any.list['a']", "unsupported index type 'string' in list"],
    ['schema.nothing', 'no such key: nothing'],
    ['self.nothing.size()', 'no such overload: size'],
    ["self.nothing + 'a'", 'no such overload: _+_'],
    ["'a' + self.nothing", 'no such overload'],
    ['self.nothing.charAt(0)', 'no such overload: charAt(null_type, int)'],
    ["self.nothing.matches('a')", 'no such overload: matches'],
    ["self.nothing.contains('a')", 'no such overload'],
    ['google.protobuf.Int32Value{value: 2147483648}', 'integer overflow'],
    ['google.protobuf.UInt32Value{value: 4294967296u}', 'unsigned integer overflow'],
    [
      "google.protobuf.Int64Value{value: dyn('a')}",
      "unexpected type string for google.protobuf.Int64Value 'value' field",
    ],
    ['1 / 0', 'division by zero'],
    ['1 % 0', 'modulus by zero'],
    ['9223372036854775807 + 1', 'integer overflow'],
    ['-9223372036854775808 / -1', 'integer overflow'],
    ['0u - 1u', 'unsigned integer overflow'],
    ['18446744073709551615u * 2u', 'unsigned integer overflow'],
    ['uint(self.count - 9)', 'unsigned integer overflow'],
    ['int(self.share * 1e30)', 'integer overflow'],
    ['int(self.name)', "type conversion error from 'string' to 'int'"],
    ["duration('1' + '')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ["string(self.data + b'\\xff')", 'invalid UTF-8 in bytes, cannot convert to string'],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s')", 'timestamp overflow'],
    ["any.n + 'a'", 'no such overload'],
    ['any.n < any.s', 'no such overload'],
    ['any.n && true', 'no such overload'],
    ['any.n ? 1 : 2', 'no such overload'],
    ["any.n.startsWith('a')", 'no such overload'],
    ['any.n.all(x, true)', "got 'types.Int', expected iterable type"],
    ['dyn(optional.none()).all(x, true)', "got '*types.Optional', expected iterable type"],
    ['any.s.all(i, x, true)', 'unsupported comprehension range type: types.String'],
    ['optional.none().value()', 'optional.none() dereference'],
    ['[?dyn(1)]', 'cannot initialize optional list element from non-optional value 1'],
    ["{?'a': dyn(1.5)}", "cannot initialize optional entry 'a' from non-optional value 1.5"],
    ['[].min()', 'min called on empty list'],
    ['{dyn([1]): 1}', 'unsupported key type'],
    ['dyn(null) < null', 'no such overload: _<_'],
    ['any.list < any.list', 'no such overload: _<_'],
    ['any.s - any.s', 'no such overload'],
    ['any.list - any.list', 'no such overload: _-_'],
    ['dyn(true) + any.n', 'no such overload: _+_'],
    ['dyn(1.5) % any.n', 'no such overload: _%_'],
    ['-dyn(1u)', 'no such overload: -_'],
    ['-any.s', 'no such overload'],
    ['!any.n', 'no such overload'],
    ['1 in any.n', 'no such overload'],
    ['double("NaN") < 1.0', 'NaN values cannot be ordered'],
    ['1 > double("NaN")', 'NaN values cannot be ordered'],
    ['any.list[1.5]', 'unsupported index value 1.5 in list'],
    ['1 / 0 == 1 && 1 % 0 == 1', 'division by zero'],
    ['any.n || 1 % 0 == 1', 'no such overload'],
    ['duration("9223372036s") + duration("9223372036s")', 'integer overflow'],
    ['uint(self.share - 2.5)', 'unsigned integer overflow'],
    ["double('1e40' + '0')", "type conversion error from 'string' to 'double'"],
    ["dyn([dyn('a'), dyn(1)]).join()", 'join: invalid input: 1'],
    ['dyn([dyn(1), dyn(1.5)]).sum()', 'no such overload'],
    ['{"a": 1, "b": 1}.transformMapEntry(k, v, {1u: k})', 'insert failed: key 1 already exists'],
    ["'a'.find('(' + '')", 'Illegal regex: error parsing regexp: missing closing ): `(`'],
    ["quantity('x')", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['["a"].transformMap(i, v, v)[1]', 'no such key: 1'],
    ['dyn([[1]]).max()', 'no such overload: max(list)'],
  ])('%s', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });

  it('are reported for values that do not have the declared type', () => {
    const program = compileExpression('n + 1', { variables: { n: intType } });
    expect(() => program.evaluate({ n: 'a' })).toThrow('invalid data, expected int, got string');
    expect(() => program.evaluate({})).toThrow('no such attribute(s): n');
    expect(program.evaluate({ n: 2n ** 62n }).value).toBe(2n ** 62n + 1n);
  });
});

describe('any text', () => {
  const pieces = [
    ...['self', 'any', 'self.name', 'any.list', 'x', '1', '-1', '2u', '1.5', "'a'", "b'a'", 'null', 'true', '[]', '{}'],
    ...['+', '-', '*', '/', '%', '==', '!=', '<', '>=', 'in', '&&', '||', '?', ':', '!', '.', ',', '(', ')', '[', ']'],
    ...[
      '{',
      '}',
      '.?',
      '[?',
      '.all(x, ',
      '.map(x, ',
      '.exists(x, ',
      '.filter(x, ',
      'has(',
      'size(',
      'dyn(',
      'cel.bind(',
    ],
    ...[
      '.transformMap(k, v, ',
      '.optMap(x, ',
      '.orValue(',
      '.size()',
      '.matches(',
      '.format(',
      "'''",
      '"',
      '\\',
      '`',
      '€',
    ],
    ...[
      'duration(',
      'timestamp(',
      'quantity(',
      'optional.of(',
      '.sum()',
      '.join()',
      '.split(',
      'sets.contains(',
      'int(',
    ],
  ];

  it('compiles and evaluates or fails with a CelError', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (chosen) => {
        const text = chosen.join(chosen.length % 2 === 0 ? '' : ' ');
        try {
          const program = compileExpression(text, { variables, hasBindings: true });
          expect(program.estimatedCost.max).toBeGreaterThanOrEqual(program.estimatedCost.min);
          program.evaluate(values, { costLimit: 10_000 });
        } catch (error) {
          if (!(error instanceof CelError)) throw error;
        }
      }),
      { numRuns: isLong ? 30_000 : 1_000 },
    );
  });

  /** Generates well-formed expressions, so that most of them are evaluated. */
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'self.count',
        'self.name',
        'self.set',
        'any.list',
        'any.n',
        'any',
        '1',
        '0',
        "'a'",
        'true',
        '[1, 2]',
      ),
      fc
        .tuple(tie('expression'), fc.constantFrom('+', '-', '/', '==', '<', 'in', '&&', '||'), tie('expression'))
        .map(([left, operator, right]) => `(dyn(${left}) ${operator} dyn(${right}))`),
      fc
        .tuple(tie('expression'), fc.constantFrom('all', 'exists', 'map', 'filter', 'exists_one'), tie('expression'))
        .map(([range, macro, body]) => `dyn(${range}).${macro}(x, dyn(${body}))`),
      fc
        .tuple(fc.constantFrom('size', 'int', 'string', 'type', '!'), tie('expression'))
        .map(([name, value]) => `${name}(dyn(${value}))`),
      fc
        .tuple(tie('expression'), fc.constantFrom('sum()', 'min()', 'join()', 'lowerAscii()', '?a', 'isSorted()', 'b'))
        .map(([value, method]) => `dyn(${value}).${method}`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([test, one, two]) => `(dyn(${test}) ? dyn(${one}) : dyn(${two}))`),
    ),
  }));

  const resultOf = <T>(evaluate: () => T): T | CelError => {
    try {
      return evaluate();
    } catch (error) {
      if (error instanceof CelError) return error;
      throw error;
    }
  };

  it('evaluates with values of any type, at once or with interruptions', () => {
    fc.assert(
      fc.property(expression, (text) => {
        const program = resultOf(() => compileExpression(text, { variables, hasBindings: true }));
        if (program instanceof CelError && program.code === 'instantiation') return;
        if (program instanceof CelError) throw program;
        const whole = resultOf(() => program.evaluate(values, { costLimit: 5_000 }));
        const interruptions = { isDue: () => true, interval: 1 };
        const steps = program.evaluateInSteps(values, { costLimit: 5_000, interruptions });
        expect(resultOf(() => runSync(steps))).toEqual(whole);
      }),
      { numRuns: isLong ? 10_000 : 400 },
    );
  });
});
