import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from './parse-yaml.ts';
import { pathKey, valueAt } from './path.ts';
import { toYaml, yamlLines } from './yaml-lines.ts';

describe('toYaml', () => {
  it('writes in the style of kubectl', () => {
    const pod = {
      metadata: { name: 'web', labels: {}, annotations: { 'a.b/c': 'yes', text: 'one\ntwo\n' } },
      spec: { containers: [{ name: 'a', args: ['-x', 'b: c'], resources: { limits: { cpu: '100m' } } }], hosts: [] },
    };
    expect(toYaml(pod)).toBe(`metadata:
  name: web
  labels: {}
  annotations:
    a.b/c: "yes"
    text: |
      one
      two
spec:
  containers:
  - name: a
    args:
    - "-x"
    - "b: c"
    resources:
      limits:
        cpu: 100m
  hosts: []
`);
  });

  it('reads back as it was, for any value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'yes',
        'null',
        '1e3',
        '0x1F',
        '1_000',
        '12:30',
        '~',
        '- a',
        'a: b',
        'a #b',
        '',
        ' ',
        'x\n',
        'x\ny',
        '\nx',
        'x\n\n',
      ),
      fc.constantFrom(
        '2026-01-01',
        '.5',
        '1.2.3',
        '=',
        '<<',
        '&a',
        '*a',
        '!x',
        '%x',
        '@x',
        '`x',
        '|',
        '>',
        '{',
        'a\u0085b',
        'a\tb\nc',
      ),
      fc
        .array(fc.constantFrom('a', ' ', '\n', ':', '#', '-', '"', "'", '\t', '1'), { maxLength: 8 })
        .map((characters) => characters.join('')),
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(value, (original) => {
        expect(parseYaml(toYaml(original))).toEqual(original);
      }),
      { numRuns: 200 },
    );
  });

  it('tells the path of each line', () => {
    const object = { a: { b: [{ c: 1, d: 'x\ny' }, 'z'] } };
    const lines = yamlLines(object).map(({ text, path }) => [text, pathKey(path)]);
    expect(lines).toEqual([
      ['a:', '["a"]'],
      ['  b:', '["a","b"]'],
      ['  - c: 1', '["a","b",0,"c"]'],
      ['    d: |-', '["a","b",0,"d"]'],
      ['      x', '["a","b",0,"d"]'],
      ['      y', '["a","b",0,"d"]'],
      ['  - z', '["a","b",1]'],
    ]);
    expect(valueAt(object, ['a', 'b', 0, 'c'])).toBe(1);
  });
});
