import { expect, it } from 'vitest';
import { escapeFieldName, unescapeFieldName } from './field-name.ts';

it.each([
  ['name', 'name'],
  ['namespace', '__namespace__'],
  ['in', '__in__'],
  ['a.b-c/d', 'a__dot__b__dash__c__slash__d'],
  ['__a__b', '__underscores__a__underscores__b'],
  ['_a', '_a'],
  ['-a', '__dash__a'],
  ['int', 'int'],
])('%s is written %s', (property, name) => {
  expect(escapeFieldName(property)).toBe(name);
  expect(unescapeFieldName(name)).toBe(property);
});

it.each(['', '1a', 'a$', 'é', 'a b'])('%s has no name', (property) => {
  expect(escapeFieldName(property)).toBeUndefined();
});
