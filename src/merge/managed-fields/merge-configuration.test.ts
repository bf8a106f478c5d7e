import { describe, expect, it } from 'vitest';
import { Ship } from './conformance/ship.conformance.ts';
import { ConfigurationError, mergeConfiguration } from './merge-configuration.ts';
import { kindShape } from './shape.ts';

const shape = kindShape(Ship);
const merged = (spec: object, configured: object): unknown =>
  mergeConfiguration(shape, { spec }, { spec: configured }).spec;

function problem(spec: object, configured: object): string {
  try {
    merged(spec, configured);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return 'none';
}

describe('a configuration', () => {
  it.each<[spec: object, configured: object, expected: object]>([
    [{ size: 1, name: 'a' }, { size: 2 }, { size: 2, name: 'a' }],
    [{ flags: { a: '1' } }, { flags: { b: '2' } }, { flags: { a: '1', b: '2' } }],
    [{}, { engine: { fuel: 'oil' } }, { engine: { fuel: 'oil' } }],
    [
      { crew: [{ name: 'a', rank: 'x', tools: ['t'] }] },
      { crew: [{ name: 'b' }, { name: 'a', rank: 'y' }] },
      { crew: [{ name: 'b' }, { name: 'a', rank: 'y', tools: ['t'] }] },
    ],
    [{ colours: ['red'] }, { colours: ['blue', 'red'] }, { colours: ['blue', 'red'] }],
    [{ crates: { a: { goods: 'x' } } }, { crates: { a: { count: 2 } } }, { crates: { a: { goods: 'x', count: 2 } } }],
    [{ port: { land: 'l' } }, { port: { town: 't' } }, { port: { land: 'l', town: 't' } }],
    [{ cargo: { a: { b: 1 } } }, { cargo: { a: { c: 2 } } }, { cargo: { a: { b: 1, c: 2 } } }],
  ])('%j with %j', (spec, configured, expected) => {
    expect(merged(spec, configured)).toEqual(expected);
  });

  it('leaves the object alone', () => {
    const object = { spec: { flags: { a: '1' }, hull: { planks: 1 } } };
    const result = mergeConfiguration(shape, object, { spec: { flags: { a: '2' } } });
    expect(object.spec.flags.a).toBe('1');
    expect((result.spec as typeof object.spec).hull).toBe(object.spec.hull);
  });

  it.each<[configured: object, paths: string]>([
    [{ route: ['a'] }, '.spec.route'],
    [{ stamps: { a: 'b' } }, '.spec.stamps'],
    [{ home: { land: 'l' } }, '.spec.home'],
    [{ crew: [{ name: 'x' }, { name: 'a', tools: ['t'] }], route: [] }, '.spec.crew[1].tools, .spec.route'],
    [{ cargo: ['a'] }, '.spec.cargo'],
  ])('may not have atomic values: %j', (configured, paths) => {
    expect(problem({}, configured)).toBe(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`,
    );
  });

  it('must have the shape of the object', () => {
    expect(problem({}, { sail: 1 })).toBe(
      'failed to convert patch object to typed object: .spec.sail: field not declared in schema',
    );
    expect(problem({ crew: [{ name: 'a' }, { name: 'a' }] }, { size: 1 })).toBe(
      'failed to convert original object to typed object: .spec.crew: duplicate entries for key [name="a"]',
    );
  });
});
