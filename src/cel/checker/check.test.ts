import { describe, expect, it } from 'vitest';
import { CelError } from '../cel-error.ts';
import { compileExpression } from '../compile-expression.ts';
import {
  anyType,
  type CelType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
  uintType,
} from './cel-type.ts';

const variables = {
  self: objectType('object', {
    name: stringType,
    count: intType,
    tags: listType(stringType),
    __namespace__: stringType,
  }),
  object: dynType,
  i: intType,
  u: uintType,
  d: doubleType,
  s: stringType,
  t: timestampType,
  list: listType(intType),
  map: mapType(stringType, mapType(stringType, anyType)),
} satisfies Record<string, CelType>;

function outcomeOf(text: string): string {
  try {
    return compileExpression(text, { variables, hasBindings: true }).resultType;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return error.message
      .split('\n')
      .filter((line) => line.includes('ERROR: '))
      .map((line) => line.replace('compilation failed: ', '').replace('ERROR: <input>:', ''))
      .join('; ');
  }
}

describe('types', () => {
  it.each([
    ['1', 'int'],
    ['1u', 'uint'],
    ['1.0', 'double'],
    ["b'a'", 'bytes'],
    ['null', 'null'],
    ['[]', 'list(dyn)'],
    ['{}', 'map(dyn, dyn)'],
    ['[] + [1]', 'list(int)'],
    ['[dyn(1), dyn(2.0)]', 'list(dyn)'],
    ["{'a': [1u]}", 'map(string, list(uint))'],
    ['[?optional.of(1), 2]', 'list(int)'],
    ["{?'a': optional.of(1), 'b': 2}", 'map(string, int)'],
    ["'%s %d %f %f %e %b %o %x %X %%'.format([self.name, u, d, 'NaN', s, true, i, b'a', s])", 'string'],
    ["'%s %s'.format([[1, 'a', [null]], {1: t, 'b': list}])", 'string'],
    ["'%d %s'.format([object.a, dyn(s)])", 'string'],
    ["s.format([1, 'a'])", 'string'],
    ["'%d'.format(list)", 'string'],
    ['[type(1), type(2)]', 'list(type(int))'],
    ['self.namespace + self.__namespace__', 'string'],
    ['has(self.namespace)', 'bool'],
    ['i + 1', 'int'],
    ['object.a.b', 'dyn'],
    ['object.a + 1', 'int'],
    ['object.a + object.b', 'dyn'],
    ["map['a']['b']", 'any'],
    ['self.tags[0]', 'string'],
    ['self.?name', 'optional_type(string)'],
    ['self.?tags[?0]', 'optional_type(string)'],
    ['self.?name.orValue("")', 'string'],
    ['list.map(x, string(x))', 'list(string)'],
    ['list.filter(x, x > 1)', 'list(int)'],
    ['map.map(k, k)', 'list(string)'],
    ['list.transformMap(i, v, v > i)', 'map(int, bool)'],
    ['list.all(i, v, v > i)', 'bool'],
    ['google.protobuf.Int64Value{value: i}', 'wrapper(int)'],
    ['google.protobuf.FloatValue{} == 1.0 && google.protobuf.StringValue{} == null', 'bool'],
    ['google.protobuf.UInt32Value{value: u} + 1u', 'uint'],
    ['[google.protobuf.BoolValue{}, true]', 'list(wrapper(bool))'],
    ['google.protobuf.Value{string_value: s}.size() > 1', 'bool'],
    ['google.protobuf.Struct{fields: {s: i}}', 'map(string, dyn)'],
    ['.google.protobuf.ListValue{values: [s]}[0]', 'dyn'],
    ['google.protobuf.Timestamp{seconds: i}', 'timestamp'],
    ['google.protobuf.Duration{?nanos: optional.of(1)}', 'duration'],
    ['google.protobuf.Any{}', 'any'],
    ['google.protobuf.Empty{}', 'google.protobuf.Empty'],
    ['type(1)', 'type(int)'],
    ['type(1) == int', 'bool'],
    ['type(i) == string', 'bool'],
    ['type([1]) == type([s]) && type(int) == type', 'bool'],
    ['type(i) in [type(s)]', 'bool'],
    ['type(t) == google.protobuf.Timestamp', 'bool'],
    ['t - t', 'duration'],
    ['i < d && u >= i', 'bool'],
    ['self == null', 'bool'],
    ['cel.bind(x, [i], x[0])', 'int'],
    ['optional.of(i).optMap(x, string(x))', 'optional_type(string)'],
    ['optional.none()', 'optional_type(dyn)'],
    ["url('https://a').getQuery()", 'map(string, list(string))'],
    ["format.named('a')", 'optional_type(kubernetes.NamedFormat)'],
    ["cidr('::/1').ip()", 'net.IP'],
    ["{?'a': optional.of(1)}", 'map(string, int)'],
    ['sets.contains(list, [1])', 'bool'],
    ['.i + i', 'int'],
  ])('%s is %s', (text, expected) => {
    expect(outcomeOf(text)).toBe(expected);
  });

  it.each([
    ['self.zz == 1', "1:5: undefined field 'zz'"],
    ['has(self.zz)', "1:4: undefined field 'zz'"],
    ['foo.bar', "1:1: undeclared reference to 'foo' (in container '')"],
    ['a/b', "1:1: undeclared reference to 'a' (in container ''); 1:3: undeclared reference to 'b' (in container '')"],
    ['test() == true', "1:5: undeclared reference to 'test' (in container '')"],
    ['string(test())', "1:12: undeclared reference to 'test' (in container '')"],
    ["114 + '514'", "1:5: found no matching overload for '_+_' applied to '(int, string)'"],
    ['map[true].x', "1:4: found no matching overload for '_[_]' applied to '(map(string, map(string, any)), bool)'"],
    ['(true || false).string()', "1:23: found no matching overload for 'string' applied to 'bool.()'"],
    ['s.substring()', "1:12: found no matching overload for 'substring' applied to 'string.()'"],
    ['s == 1', "1:3: found no matching overload for '_==_' applied to '(string, int)'"],
    ['s == null', "1:3: found no matching overload for '_==_' applied to '(string, null)'"],
    ['i == d', "1:3: found no matching overload for '_==_' applied to '(int, double)'"],
    ['!i', "1:1: found no matching overload for '!_' applied to '(int)'"],
    ['i && true', "1:1: expected type 'bool' but found 'int'"],
    ["i > 1 ? 'a' : 2", "1:7: found no matching overload for '_?_:_' applied to '(bool, string, int)'"],
    ['i || s', "1:1: expected type 'bool' but found 'int'; 1:6: expected type 'bool' but found 'string'"],
    [
      'foo.substring()',
      "1:1: undeclared reference to 'foo' (in container ''); 1:14: found no matching overload for 'substring' applied to '!error!.()'",
    ],
    ['i.x.y', "1:2: type 'int' does not support field selection"],
    [
      "map['a']['b'].all(x, x)",
      "1:9: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['[?1]', "1:3: expected type 'optional_type(int)' but found 'int'"],
    // Only the first other type of a list is reported, and all of a map.
    ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
    ["[1, 2, 'a', 1.0]", "1:8: expected type 'int' but found 'string'"],
    ["[dyn(1), 'a']", "1:10: expected type 'dyn' but found 'string'"],
    ['[int, string]', "1:7: expected type 'type(int)' but found 'type(string)'"],
    ['[[1], [1u]]', "1:7: expected type 'list(int)' but found 'list(uint)'"],
    ['[optional.of(1), null]', "1:18: expected type 'optional_type(int)' but found 'null'"],
    ['[?optional.of(1), s]', "1:19: expected type 'int' but found 'string'"],
    ["{'a': 1, 2: 3}", "1:10: expected type 'string' but found 'int'"],
    [
      "{'a': 1, 2: 'b', 'c': null}",
      "1:10: expected type 'string' but found 'int'; 1:13: expected type 'int' but found 'string'; 1:23: expected type 'int' but found 'null'",
    ],
    ["{'a': 1, ?'b': optional.of(s)}", "1:27: expected type 'int' but found 'string'"],
    // Entries inside of other calls are not those of the format.
    ["'%s'.format([[1, 2].map(x, [x, s])])", "1:32: expected type 'int' but found 'string'"],
    // The arguments of formats, if both are spelled out.
    ["'%d %d'.format([1])", '1:15: index 1 out of range'],
    ["'%d'.format([1, 2u, s])", '1:12: too many arguments supplied to string.format (expected 1, got 3)'],
    ["'%'.format([1])", '1:11: unexpected end of string'],
    ["'%a'.format([1])", '1:12: could not parse formatting clause: unrecognized formatting clause "a"'],
    [
      "'%s %d'.format([1, s])",
      '1:20: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    [
      "'%f'.format([i])",
      '1:14: error during formatting: fixed-point clause can only be used on doubles, was given int',
    ],
    [
      "'%e'.format([t])",
      '1:14: error during formatting: scientific clause can only be used on doubles, was given google.protobuf.Timestamp',
    ],
    [
      "'%b'.format([s])",
      '1:14: error during formatting: only integers and bools can be formatted as binary, was given string',
    ],
    ["'%o'.format([d])", '1:14: error during formatting: octal clause can only be used on integers, was given double'],
    [
      "'%x'.format([list])",
      '1:14: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given list',
    ],
    [
      "'%s'.format([[1, {'a': self}]])",
      '1:24: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given object',
    ],
    ['i.x', "1:2: type 'int' does not support field selection"],
    [
      'i.all(x, true)',
      "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['list.all(x, x)', "1:13: expected type 'bool' but found 'int'"],
    [
      'google.protobuf.Int32Value{value: s, a: 1}',
      "1:33: expected type of field 'value' is 'int' but provided type is 'string'; 1:39: undefined field 'a'",
    ],
    ['google.protobuf.BytesValue{}.value', "1:29: type 'wrapper(bytes)' does not support field selection"],
    [
      'google.protobuf.Int64Value{} == s',
      "1:30: found no matching overload for '_==_' applied to '(wrapper(int), string)'",
    ],
    ['google.protobuf.Thing{}', "1:22: undeclared reference to 'google.protobuf.Thing' (in container '')"],
    ['int{}', "1:4: 'int' is not a message type"],
    ['Thing{a: 1}', "1:6: undeclared reference to 'Thing' (in container '')"],
    ["'a'.matches('(')", '1:13: invalid matches argument'],
    ["matches('(', 'x')", '1:9: invalid matches argument'],
    ["duration('1')", '1:10: invalid duration argument'],
    ['timestamp(253402300800)', '1:11: invalid timestamp argument'],
    ['timestamp(-62135596801) == t', '1:11: invalid timestamp argument'],
    ["timestamp('now')", '1:11: invalid timestamp argument'],
    ['list.map(x, x).foo(1)', "1:19: undeclared reference to 'foo' (in container '')"],
  ])('%s', (text, expected) => {
    expect(outcomeOf(text)).toBe(expected);
  });
});
