import { describe, expect, it } from 'vitest';
import { ConfigurationFields } from './configuration-fields.ts';

function opened(value: unknown) {
  const found: string[] = [];
  const fields = new ConfigurationFields(value, {
    unknownField: (path) => found.push(`unknown ${path}`),
    wrongType: (path, wrong, wanted) => found.push(`${path}: ${JSON.stringify(wrong)} is not ${wanted}`),
  });
  return { fields, found };
}

describe('ConfigurationFields', () => {
  it('returns the values of fields', () => {
    const value = {
      text: 'a',
      flag: false,
      texts: ['b'],
      object: { text: 'c' },
      objects: [{ text: 'd' }, { flag: true }],
      integer: -3,
      textMap: { a: 'b', constructor: 'c' },
    };
    const { fields, found } = opened(value);
    expect([fields.text('text'), fields.optionalText('text'), fields.flag('flag')]).toEqual(['a', 'a', false]);
    expect(fields.texts('texts')).toEqual(['b']);
    expect([fields.integer('integer'), fields.textMap('textMap')]).toEqual([-3, { a: 'b', constructor: 'c' }]);
    expect(fields.object('object').text('text')).toBe('c');
    const [first, second] = fields.objects('objects');
    expect([first!.text('text'), second!.flag('flag'), second!.path('flag')]).toEqual(['d', true, 'objects[1].flag']);
    fields.end();
    expect(found).toEqual([]);
  });

  it.each([undefined, null])('returns empty values for fields that are %s', (nothing) => {
    const { fields, found } = opened({ a: nothing });
    expect([fields.has('a'), fields.text('a'), fields.optionalText('a'), fields.flag('a')]).toEqual([
      false,
      '',
      undefined,
      undefined,
    ]);
    expect([fields.texts('a'), fields.objects('a'), fields.object('a').text('b')]).toEqual([[], [], '']);
    expect([fields.integer('a'), fields.textMap('a')]).toEqual([undefined, {}]);
    expect(opened(nothing).fields.has('a')).toBe(false);
    fields.end();
    expect(found).toEqual([]);
  });

  it.each<[name: string, read: (fields: ConfigurationFields) => unknown, found: string]>([
    ['a text', (fields) => fields.text('a'), 'a: 1 is not a string'],
    ['an optional text', (fields) => fields.optionalText('a'), 'a: 1 is not a string'],
    ['a flag', (fields) => fields.flag('a'), 'a: 1 is not true or false'],
    ['an integer', (fields) => fields.integer('c'), 'c: 1.5 is not an integer'],
    ['a map', (fields) => fields.textMap('a'), 'a: 1 is not an object of strings'],
    ['a map that is a list', (fields) => fields.textMap('b'), 'b: ["c",{}] is not an object of strings'],
    ['a map with another value', (fields) => fields.textMap('d'), 'd: {"e":1} is not an object of strings'],
    ['texts', (fields) => fields.texts('a'), 'a: 1 is not a list'],
    ['texts of which one is none', (fields) => fields.texts('b'), 'b: ["c",{}] is not a list of strings'],
    ['an object', (fields) => fields.object('a').end(), 'a: 1 is not an object'],
    ['objects', (fields) => fields.objects('a'), 'a: 1 is not a list'],
    ['objects of which one is none', (fields) => fields.objects('b'), 'b[0]: "c" is not an object'],
  ])('reports a field of the wrong type: %s', (_name, read, expected) => {
    const { fields, found } = opened({ a: 1, b: ['c', {}], c: 1.5, d: { e: 1 } });
    read(fields);
    expect(found).toEqual([expected]);
  });

  it.each([1, 'a', true, []])('reports a document that is not an object: %j', (value) => {
    expect(opened(value).found).toEqual([`: ${JSON.stringify(value)} is not an object`]);
  });

  it('reports fields that were not read as unknown, at any depth', () => {
    const { fields, found } = opened({ a: { b: 1, c: [{ d: '', constructor: 1 }] }, e: { f: 1 }, g: 1, has: 1 });
    fields.object('a').objects('c')[0]!.text('d');
    fields.object('e').allowMore();
    fields.end();
    expect(found).toEqual(['unknown g', 'unknown has', 'unknown a.b', 'unknown a.c[0].constructor']);
  });
});
