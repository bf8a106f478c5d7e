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
  self: objectType('object', { name: stringType, count: intType, tags: listType(stringType) }),
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
    return compileExpression(text, { variables }).resultType;
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
    ['[1, dyn(2.0)]', 'list(dyn)'],
    ["{'a': [1u]}", 'map(string, list(uint))'],
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
    ['type(1)', 'type(int)'],
    ['type(1) == int', 'bool'],
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
    ['[?optional.of(1), 2]', 'list(int)'],
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
    ['i && true', "1:3: found no matching overload for '_&&_' applied to '(int, bool)'"],
    ["i > 1 ? 'a' : 2", "1:7: found no matching overload for '_?_:_' applied to '(bool, string, int)'"],
    ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
    ["{'a': 1, 2: 3}", "1:10: expected type 'string' but found 'int'"],
    ['i.x', "1:2: type 'int' does not support field selection"],
    [
      'i.all(x, true)',
      "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['list.all(x, x)', "1:9: found no matching overload for '_&&_' applied to '(bool, int)'"],
    ['Thing{a: 1}', "1:6: undeclared reference to 'Thing' (in container '')"],
    ["'a'.matches('(')", '1:13: invalid matches argument'],
    ["duration('1')", '1:10: invalid duration argument'],
    ["timestamp('now')", '1:11: invalid timestamp argument'],
    ['list.map(x, x).foo(1)', "1:19: undeclared reference to 'foo' (in container '')"],
  ])('%s', (text, expected) => {
    expect(outcomeOf(text)).toBe(expected);
  });
});
