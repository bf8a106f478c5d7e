import { yamlLanguage } from '@codemirror/lang-yaml';
import { describe, expect, it } from 'vitest';
import { complete } from './complete.ts';
import { pathKey } from './path.ts';
import { Schemas } from './schema.ts';
import { validate } from './validate.ts';
import { yamlContext } from './yaml-context.ts';
import { yamlRanges } from './yaml-ranges.ts';

const kind = { group: 'x.io', version: 'v1', kind: 'Boat' };
const schemas = new Schemas({
  components: {
    schemas: {
      Boat: {
        type: 'object',
        'x-kubernetes-group-version-kind': [kind],
        required: ['spec'],
        properties: {
          kind: { type: 'string' },
          metadata: { type: 'object', additionalProperties: true },
          spec: { description: 'How it is built.', allOf: [{ $ref: '#/components/schemas/Spec' }] },
        },
      },
      Spec: {
        type: 'object',
        required: ['sails'],
        properties: {
          sails: { type: 'array', items: { $ref: '#/components/schemas/Sail' } },
          port: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
          crew: { type: 'integer', minimum: 1 },
          isFast: { type: 'boolean', default: false },
          notes: { type: 'object', additionalProperties: { type: 'string' } },
          tender: { $ref: '#/components/schemas/Boat' },
        },
      },
      Sail: {
        type: 'object',
        properties: { name: { type: 'string' }, cut: { type: 'string', enum: ['main', 'jib'] } },
      },
    },
  },
});
const schema = schemas.ofKind(kind)!;

/** Returns the position of the bar in a text. */
function at(text: string) {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  const lines = text.replace('|', '').split('\n');
  return yamlContext(lines, { line: before.length - 1, column: before.at(-1)!.length });
}

describe('yamlContext', () => {
  it.each([
    ['|', { path: [], key: undefined, word: '' }],
    ['sp|', { path: [], key: undefined, word: 'sp' }],
    ['spec:\n  cr|', { path: ['spec'], key: undefined, word: 'cr' }],
    ['spec:\n  crew: 1|', { path: ['spec'], key: 'crew', word: '1' }],
    ['spec:\n  sails:\n  - na|', { path: ['spec', 'sails', 0], key: undefined, word: 'na' }],
    ['spec:\n  sails:\n    - name: a\n      cu|', { path: ['spec', 'sails', 0], key: undefined, word: 'cu' }],
    ['spec:\n  sails:\n  - name: a\n  - name: b\n    cut: |', { path: ['spec', 'sails', 0], key: 'cut', word: '' }],
    ['a:\n- b:\n    c:\n    - d: 1\n      e|', { path: ['a', 0, 'b', 'c', 0], key: undefined, word: 'e' }],
    ['a:\n  b: 1\n\n# c:\nd:\n  |', { path: ['d'], key: undefined, word: '' }],
    ['"x.y/z":\n  |', { path: ['x.y/z'], key: undefined, word: '' }],
    ['a: 1\n---\n  |', { path: [], key: undefined, word: '' }],
  ])('at %j', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });
});

describe('complete', () => {
  const labels = (text: string, value?: unknown) =>
    complete(at(text), { schema, schemas, value, indent: '' }).map(({ label }) => label);

  it.each([
    ['|', ['kind', 'metadata', 'spec']],
    ['spec:\n  |', ['sails', 'port', 'crew', 'isFast', 'notes', 'tender']],
    ['spec:\n  sails:\n  - |', ['name', 'cut']],
    ['spec:\n  sails:\n  - cut: |', ['main', 'jib']],
    ['spec:\n  isFast: |', ['true', 'false']],
    ['spec:\n  tender:\n    spec:\n      tender:\n        |', ['kind', 'metadata', 'spec']],
    ['spec:\n  notes:\n    |', []],
    ['other:\n  |', []],
  ])('at %j', (text, expected) => {
    expect(labels(text)).toEqual(expected);
  });

  it('leaves out what is written', () => {
    expect(labels('kind: Boat\n|', { kind: 'Boat' })).toEqual(['metadata', 'spec']);
  });

  it('continues objects and lists on the next line', () => {
    const found = complete(at('spec:\n  |'), { schema, schemas, indent: '  ' });
    expect(found.find(({ label }) => label === 'sails')).toMatchObject({ insert: 'sails:\n  - ', isRequired: true });
    expect(found.find(({ label }) => label === 'crew')).toMatchObject({ insert: 'crew: ', detail: 'integer' });
  });
});

describe('validate', () => {
  it.each([
    [{ spec: { sails: [] } }, []],
    [{}, ['the document must have spec']],
    [{ spec: { sails: 1 } }, ['.spec.sails must be of type list of object']],
    [{ spec: { sails: [{ cut: 'x' }] } }, ['.spec.sails[0].cut must be one of "main", "jib"']],
    [{ spec: { sails: [], crew: 0 } }, ['.spec.crew must be at least 1']],
    [{ spec: { sails: [], port: 'http', notes: { 'a b': 'x' } } }, []],
    [{ spec: { sails: [], notes: { 'a b': 1 } } }, ['.spec.notes["a b"] must be of type string']],
    [{ spec: { sails: [], mast: 1 }, metadata: { any: 1 } }, ['.spec.mast is not a field of this type']],
    [{ spec: { sails: [], tender: { spec: {} } } }, ['.spec.tender.spec must have sails']],
  ])('%j', (value, expected) => {
    expect(validate(value, schema, schemas).map(({ message }) => message)).toEqual(expected);
  });
});

describe('yamlRanges', () => {
  it('finds fields and items', () => {
    const text = 'a:\n  "b c": 1\n  d:\n  - x\n  - y: {z: 1}\n';
    const ranges = yamlRanges(yamlLanguage.parser.parse(text), text);
    const textOf = (...path: (string | number)[]) => {
      const range = ranges.get(pathKey(path));
      return range && text.slice(range.from, range.to);
    };
    expect(textOf('a')).toBe('a');
    expect(textOf('a', 'b c')).toBe('"b c"');
    expect(textOf('a', 'd', 0)).toBe('x');
    expect(textOf('a', 'd', 1, 'y', 'z')).toBe('z');
    expect(textOf('a', 'd', 2)).toBeUndefined();
  });
});
