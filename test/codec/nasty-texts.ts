const alphabets = ['', '"\'\\', ' \t\r\n', '\u0000\u001b\u007f', ':-#?!&*{}[],|>@`%', '\u0085\u00a0\u2028\u2029\ufeff'];
const letters = 'aZ09äß中\u{1f600}\u{10ffff}';

/** Characters that some encoding has to escape or quote, and some that no encoding has to. */
export const alphabet: readonly string[] = [...(alphabets.join('') + letters)];

/** Texts that a decoder could mistake for something else. */
export const nastyTexts: readonly string[] = [
  '',
  ...['plain', 'two words', "it's", '"quoted"', 'back\\slash', '<a href="&amp;">', '\\u0041', '\\ud800'],
  // These texts are not strings in some versions of YAML.
  ...['yes', 'No', 'ON', 'off', 'y', 'N', 'true', 'False', '~', 'null', 'Null', 'NULL', '.nan', '.inf', '-.INF'],
  ...['1', '-1', '+1', '1.0', '1.', '.5', '1e3', '1E+3', '0x1F', '0b11', '0o17', '017', '089', '1_000', '1:30', '-0'],
  ...['2024-01-01', '2024-01-01T00:00:00Z', '2001-12-14 21:59:43.10 -5', '=', '<<', '1.2.3', '0.', '-', '--', '...'],
  // These texts contain syntax of YAML.
  ...['# no comment', 'a #b', 'a# b', 'a: b', 'a:b', ':', 'a:', '- item', '-', '? key', '?', '---', '--- a', '... b'],
  ...[
    '&anchor',
    '*alias',
    '!tag',
    '!!str a',
    '|',
    '>',
    '|-',
    '%YAML 1.1',
    '@at',
    '`tick',
    '{',
    '}',
    '[]',
    '{a: b}',
    ',',
  ],
  // Blanks and line breaks.
  ...[
    ' ',
    '  leading',
    'trailing  ',
    '\t',
    '\ttab',
    'tab\t',
    'a\tb',
    '\n',
    '\n\n',
    '\na',
    'a\n',
    'a\n\n',
    'a\nb',
    'a\n\nb\n',
  ],
  ...[
    ' a\nb',
    'a\n b\n',
    '\n a\nb',
    'a\nb ',
    'a \nb',
    '\r',
    'a\r\nb',
    'a\rb\n',
    '  \n  \n',
    '#!/bin/sh\nset -e\n',
    'a\n# b\n',
  ],
  ...['a\u2028b', '\u2029', 'a\u0085b', '\u00a0a\u00a0', '\ufeffa', 'a\ufeff', '\ufffd', '\uffff', 'e\u0301'],
  ...[
    '\u0000',
    'a\u0000b',
    '\u0007\u001b[0m',
    '\u007f',
    '\u0080\u009f',
    '\ud7ff\ue000',
    '\u{1f600}',
    '\u{10ffff}',
    'ä',
  ],
  // Texts that are longer than a line, with and without a place for a line break.
  'x'.repeat(300),
  'lorem ipsum '.repeat(20),
  `  ${'wide  blanks  '.repeat(12)}`,
  `it's ${'quoted: # '.repeat(15)}`,
  `${'a line that is longer than eighty columns, with words in it, and then some more of them\n'.repeat(3)}`,
  `\u0000${'escaped "text" \\ '.repeat(10)}`,
  '\u{1f600} '.repeat(50),
  '{"json":{"in":["text",1.0,null]}}',
];

/** Keys that have a special meaning in JavaScript, YAML or an encoder. */
export const nastyKeys: readonly string[] = [
  ...['a', 'b', 'a2', 'a10', 'A', '1', '10', '-1', '', ' ', '__proto__', 'constructor', 'toString', 'length', 'toJSON'],
  ...['app.kubernetes.io/name', 'key with blanks', 'a: b', '<<', '~', 'true', 'y', 'null', '1.0', '# a', '? a', '- a'],
  ...['line\nbreak', '\u0000', '\u2028', '\u{1f600}', 'ä', 'k'.repeat(130), "'", '"', '\\', '&a', '*a', '!a', '[', '{'],
];
