import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonEqual, isJsonObject, type JsonObject } from '../meta/json-object.ts';
import { applyJsonMergePatch } from './index.ts';

test.each([
  ['a value', { a: 'b' }, { a: 'c' }, { a: 'c' }],
  ['a new member', { a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  ['a removed member', { a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  ['the last member', { a: 'b' }, { a: null }, {}],
  ['a missing member removed', { a: 'b' }, { c: null }, { a: 'b' }],
  ['nothing', { a: { b: 1 } }, {}, { a: { b: 1 } }],
  ['nothing deeper', { a: { b: 1 } }, { a: {} }, { a: { b: 1 } }],
  ['nested', { a: { b: 1, c: 2 } }, { a: { b: 3, c: null } }, { a: { b: 3 } }],
  ['a list by a value', { a: ['b'] }, { a: 'c' }, { a: 'c' }],
  ['a value by a list', { a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  ['a list by a list', { a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
  ['a list of objects by another', { a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  ['an object by a value', { a: { b: 1 } }, { a: 5 }, { a: 5 }],
  ['a value by an object', { a: 5 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['nulls in a new object', {}, { a: { bb: { ccc: null, d: 1 } } }, { a: { bb: { d: 1 } } }],
  ['nulls in an object over a value', { a: 'x' }, { a: { b: null } }, { a: {} }],
  ['nulls in objects in a list', {}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
  ['a member that was null', { a: null }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ['a null that stays', { a: null }, { b: 1 }, { a: null, b: 1 }],
])('%s', (_title, target, patch, result) => {
  const before = JSON.stringify([target, patch]);
  expect(applyJsonMergePatch(target, patch)).toEqual(result);
  expect(JSON.stringify([target, patch])).toBe(before);
});

describe('invalid patches', () => {
  const messageOf = (patch: unknown, options = {}) => {
    try {
      applyJsonMergePatch({}, patch, options);
    } catch (error) {
      const { code, reason, message } = (error as { status: { code: number; reason: string; message: string } }).status;
      return `${code} ${reason} ${message}`;
    }
    throw new Error('nothing was refused');
  };

  test.each([
    [[], 'array'],
    ['x', 'string'],
    [5, 'number'],
    [true, 'bool'],
  ])('%j', (patch, type) => {
    const text = `400 BadRequest error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
    expect(messageOf(patch)).toBe(text);
  });

  test('null, and scalars without validation', () => {
    expect(messageOf(null)).toBe('400 BadRequest Invalid JSON Patch');
    expect(messageOf('x', { fieldValidation: 'Ignore' })).toBe('400 BadRequest Invalid JSON Patch');
  });

  test('without validation a list replaces the document', () => {
    expect(applyJsonMergePatch({ a: 1 }, [{ b: null }], { fieldValidation: 'Ignore' })).toEqual([{}]);
  });
});

describe('the result', () => {
  test('shares unchanged parts', () => {
    const target = { a: { x: 1 }, b: { y: 1 } };
    const result = applyJsonMergePatch(target, { b: { y: 2 } }) as typeof target;
    expect(result.a).toBe(target.a);
  });

  test('has sorted keys in all patched objects', () => {
    expect(JSON.stringify(applyJsonMergePatch({ z: { b: 1, a: 1 }, m: 1 }, { k: 1 }))).toBe(
      '{"k":1,"m":1,"z":{"b":1,"a":1}}',
    );
  });

  test('a key named __proto__ is data', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const result = applyJsonMergePatch({}, patch) as object;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('properties', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.string(),
      fc.boolean(),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'toString'), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  }));
  const object = json.object as fc.Arbitrary<JsonObject>;

  /** Returns the patch that turns `from` into `to`. */
  function difference(from: JsonObject, to: JsonObject): JsonObject {
    const patch: [string, unknown][] = [];
    for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
      if (!Object.hasOwn(to, key)) patch.push([key, null]);
      else if (!Object.hasOwn(from, key)) patch.push([key, to[key]]);
      else if (isJsonObject(from[key]) && isJsonObject(to[key])) patch.push([key, difference(from[key], to[key])]);
      else if (!isJsonEqual(from[key], to[key])) patch.push([key, to[key]]);
    }
    return Object.fromEntries(patch);
  }

  test('the difference of two documents turns one into the other', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        expect(isJsonEqual(applyJsonMergePatch(from, difference(from, to)), to)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('applying a patch again changes nothing, and never the arguments', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = applyJsonMergePatch(target, patch);
        expect(isJsonEqual(applyJsonMergePatch(once, patch), once)).toBe(true);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });
});
