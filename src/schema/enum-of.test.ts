import { expect, it } from 'vitest';
import { field, listOf, string, struct } from './builders.ts';
import { enumOf } from './enum-of.ts';

const Colours = struct('test/v1.Colours', () => ({
  colours: field(1, listOf(string), { enum: ['red', 'green'] }),
  name: field(2, string),
}));
const Lamp = struct('test/v1.Lamp', () => ({ inlined: field(1, Colours, { inline: true }) }));

it('returns the values of a field in order, also those of inline structs', () => {
  expect(enumOf(Colours, 'colours')).toEqual(['red', 'green']);
  expect(enumOf(Lamp, 'colours')).toEqual(['red', 'green']);
});

it('refuses a field without an enum', () => {
  expect(() => enumOf(Colours, 'name')).toThrow('test/v1.Colours.name has no enum');
});
