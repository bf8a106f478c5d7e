import fc from 'fast-check';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it, test } from 'vitest';
import { decodeYaml } from './decode-yaml.ts';
import { encodeYaml, encodeYamlItems } from './encode-yaml.ts';

const decode = (text: string): unknown => decodeYaml(Buffer.from(text)).value;
const word = 'abcdefghi ';

describe('strings', () => {
  test.each([
    ['a', 'a'],
    ['a b', 'a b'],
    ['', '""'],
    ...['y', 'No', 'on', 'true', 'null', '~', '1', '0x1f', '1_0', '.5', '1e3', '.inf', '0b1', '0o7'].map((text) => [
      text,
      `"${text}"`,
    ]),
    ['2024-01-02', '"2024-01-02"'],
    ['2024-1-2T3:4:5.678Z', '"2024-1-2T3:4:5.678Z"'],
    ['2024-13-02', '2024-13-02'],
    ['2023-02-29', '2023-02-29'],
    ['1:30', '"1:30"'],
    ['1:90', '1:90'],
    ['yEs', 'yEs'],
    ['<<', '"<<"'],
    ['=', '='],
    ['-', "'-'"],
    ['-a', '-a'],
    ['- a', "'- a'"],
    ['?', "'?'"],
    [':a', ':a'],
    ['a: b', "'a: b'"],
    ['a:', "'a:'"],
    ['a:b', 'a:b'],
    ['a #b', "'a #b'"],
    ['a#b', 'a#b'],
    [' a', "' a'"],
    ['a ', "'a '"],
    ['---', "'---'"],
    ['...a', "'...a'"],
    ...['#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '"', '%', '@', '`'].map((text) => [text, `'${text}'`]),
    ["'", "''''"],
    ['a"b', 'a"b'],
    ['a\tb', '"a\\tb"'],
    ['a\rb', '"a\\rb"'],
    ['\u0000\u0007\u001b\u007f\u0085\ufeff', '"\\0\\a\\e\\x7F\\N\\uFEFF"'],
    ['é\u00a0日', 'é\u00a0日'],
    ['😀', '"\\U0001F600"'],
    ['<&>\u2028é', "'<&>\u2028  é'"],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\nb\n\n', '|+\n  a\n\n  b\n'],
    ['\n', '|2+\n'],
    ['\na\n', '|2\n\n  a'],
    [' a\nb', '|2-\n   a\n  b'],
    ['a \nb', '"a \\nb"'],
    ['a\n b ', '"a\\n b "'],
    ['a\n\tb', '"a\\n\\tb"'],
  ] as [string, string][])('%j', (text, written) => {
    expect(encodeYaml({ k: text })).toBe(`k: ${written}\n`);
    expect(decode(encodeYaml({ k: text }))).toEqual({ k: text });
  });

  it('folds long lines', () => {
    expect(encodeYaml({ k: word.repeat(9).trim() })).toBe(`k: ${word.repeat(8).trim()}\n  abcdefghi\n`);
    expect(encodeYaml({ k: `${word.repeat(8)} x` })).toBe(`k: ${word.repeat(8)} x\n`);
    expect(encodeYaml({ k: `a: ${word.repeat(9)}` })).toBe(`k: 'a: ${word.repeat(8).trim()}\n  abcdefghi '\n`);
    expect(encodeYaml({ k: `\t${word.repeat(8)} x` })).toBe(`k: "\\t${word.repeat(8).trim()}\n  \\ x"\n`);
  });
});

describe('values', () => {
  test.each<[unknown, string]>([
    [null, 'null\n'],
    [{}, '{}\n'],
    [[], '[]\n'],
    ['a\nb', '|-\n  a\n  b\n'],
    [[1, [2, 3], { a: 4, b: [] }, {}, [[5]]], '- 1\n- - 2\n  - 3\n- a: 4\n  b: []\n- {}\n- - - 5\n'],
    [{ b: { d: [{ e: 1, f: [2] }], c: {} }, a: null }, 'a: null\nb:\n  c: {}\n  d:\n  - e: 1\n    f:\n    - 2\n'],
    [{ a: undefined, b: 1 }, 'b: 1\n'],
    [{ a: { b: undefined } }, 'a: {}\n'],
    [{ a10: 1, a2: 2, B: 3, '.': 4, 1: 5, a: 6, 'a-b': 7 }, '.: 4\n"1": 5\nB: 3\na: 6\na-b: 7\na2: 2\na10: 1\n'],
    [{ true: 1, '': 2, 'a: b': 3, 'a b': 4 }, '"": 2\na b: 4\n\'a: b\': 3\n"true": 1\n'],
    [{ 'a\nb': [1, { c: 2, d: 3 }] }, '? |-\n  a\n  b\n: - 1\n  - c: 2\n    d: 3\n'],
    [{ ['k'.repeat(129)]: 1 }, `? ${'k'.repeat(129)}\n: 1\n`],
    [{ ['k'.repeat(128)]: 1 }, `${'k'.repeat(128)}: 1\n`],
    [
      [1, -2.5, 1e6, 1234567.5, 1e20, 1e21, 1e-5, 0.0001, -0, 2n ** 64n - 1n],
      '- 1\n- -2.5\n- 1000000\n- 1.2345675e+06\n- 1e+20\n- 1e+21\n- 1e-05\n- 0.0001\n- 0\n- 18446744073709551615\n',
    ],
  ])('case %#', (value, text) => {
    expect(encodeYaml(value)).toBe(text);
  });

  it('encodes the items of a list', () => {
    expect(encodeYamlItems([{ a: 'b', c: { d: 1 } }, 2])).toBe('- a: b\n  c:\n    d: 1\n- 2\n');
    expect(encodeYamlItems([])).toBe('');
  });

  it('rejects values that are nested too deeply', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(() => encodeYaml(value)).toThrow('exceeded max depth');
  });
});

describe('properties', () => {
  const nasty = [
    ' ',
    '\n',
    'a',
    ':',
    '#',
    '-',
    "'",
    '"',
    '\\',
    '\t',
    '?',
    '[',
    '|',
    '1',
    '.',
    'e',
    'é',
    '😀',
    '\r',
    '~',
  ];
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...nasty, '\u2028', '\u0085', '\ufeff', 'y', '0', 'x', '_', '<') }),
    fc.string({ unit: 'binary' }).map((value) => value.toWellFormed()),
    fc.string({ unit: fc.constantFrom(' ', 'word', 'longer-word', "it's", 'say "x"', ': '), minLength: 30 }),
  );
  const number = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || (Number.isSafeInteger(value) && !Object.is(value, -0)));
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(text, fc.integer(), number, fc.boolean(), fc.constant(null), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }));

  it('round-trips values', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(decode(encodeYaml(value))).toEqual(value);
      }),
    );
  });

  it('writes YAML that another library reads', () => {
    fc.assert(
      fc.property(values, (value) => {
        // Wraps the value, because parsers disagree on the indentation of a top-level block scalar.
        const document = { value };
        const written = encodeYaml(document);
        // Only YAML 1.1 treats these characters as line breaks.
        fc.pre(!/[\u2028\u2029]/.test(written));
        expect(load(written, { schema: CORE_SCHEMA })).toEqual(document);
      }),
    );
  });
});
