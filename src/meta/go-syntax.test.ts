import { expect, it } from 'vitest';
import { goStringLists, goStrings, goStruct } from './go-syntax.ts';

it.each([
  [goStruct('', {}), '{}'],
  [goStruct('&a.B', { Name: '"x"', Count: '1' }), '&a.B{Name:"x", Count:1}'],
  [goStrings([]), '[]string(nil)'],
  [goStrings(['a', 'b"c']), '[]string{"a", "b\\"c"}'],
  [goStringLists(undefined), 'map[string][]string(nil)'],
  [goStringLists({}), 'map[string][]string{}'],
  [goStringLists({ b: ['x', 'y'], a: [] }), 'map[string][]string{"a":[]string(nil), "b":[]string{"x", "y"}}'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});
