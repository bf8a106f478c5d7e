import { describe, expect, it } from 'vitest';
import { CelError } from '../cel-error.ts';
import { Uint } from '../evaluate/values.ts';
import { parseExpression } from './parse.ts';

const starts =
  "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

function problemsOf(text: string): string {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof CelError) return error.message.replace('compilation failed: ', '');
    throw error;
  }
  return 'none';
}

/** Only the first lines, without the text and the mark. */
function linesOf(text: string): readonly string[] {
  return problemsOf(text)
    .split('\n')
    .filter((line) => line.startsWith('ERROR: '))
    .map((line) => line.replace('ERROR: <input>:', ''));
}

describe('syntax errors', () => {
  it.each<[string, ...string[]]>([
    ['', `1:0: Syntax error: mismatched input '<EOF>' expecting {${starts}}`],
    ['self.a +', `1:9: Syntax error: mismatched input '<EOF>' expecting {${starts}}`],
    ['(', `1:2: Syntax error: mismatched input '<EOF>' expecting {${starts}}`],
    ['nope(', `1:6: Syntax error: mismatched input '<EOF>' expecting {${starts.replace("'(',", "'(', ')',")}}`],
    ['object.', "1:8: Syntax error: no viable alternative at input '.'"],
    ['{"a": 1}."a"', '1:10: Syntax error: no viable alternative at input \'."a"\''],
    ['self.true == 1', "1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
    ['a.in.b', "1:3: Syntax error: no viable alternative at input '.in'"],
    ['a.`b-c`', "1:3: unsupported syntax: '`'"],
    ['a.?`b`', "1:4: unsupported syntax: '`'"],
    ['T{`a`: 1}', "1:3: unsupported syntax: '`'"],
    ['a b', "1:3: Syntax error: extraneous input 'b' expecting <EOF>"],
    ['1 + 2\n3 +', "2:1: Syntax error: mismatched input '3' expecting <EOF>"],
    ['f(){}', "1:4: Syntax error: mismatched input '{' expecting <EOF>"],
    ['x in [1, 2,', "1:12: Syntax error: missing ']' at '<EOF>'"],
    ['(1', "1:3: Syntax error: missing ')' at '<EOF>'"],
    ['$(X)', "1:1: Syntax error: token recognition error at: '$'"],
    ['*.example.com', `1:1: Syntax error: extraneous input '*' expecting {${starts}}`],
    [
      '*',
      `1:1: Syntax error: mismatched input '*' expecting {${starts}}`,
      `1:2: Syntax error: mismatched input '<EOF>' expecting {${starts}}`,
    ],
    [
      '1 + +',
      `1:5: Syntax error: mismatched input '+' expecting {${starts}}`,
      `1:6: Syntax error: mismatched input '<EOF>' expecting {${starts}}`,
    ],
    [
      'in',
      `1:1: Syntax error: mismatched input 'in' expecting {${starts}}`,
      `1:3: Syntax error: mismatched input '<EOF>' expecting {${starts}}`,
    ],
    [
      'a | b',
      "1:3: Syntax error: token recognition error at: '| '",
      "1:5: Syntax error: extraneous input 'b' expecting <EOF>",
    ],
    [
      '"\\xFh"',
      "1:1: Syntax error: token recognition error at: '\"\\xFh'",
      "1:6: Syntax error: token recognition error at: '\"'",
      `1:7: Syntax error: mismatched input '<EOF>' expecting {${starts}}`,
    ],
    ['-bad-', `1:6: Syntax error: mismatched input '<EOF>' expecting {${starts}}`],
    ['{a}', "1:3: Syntax error: mismatched input '}' expecting ':'"],
    [
      '{',
      `1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', ${starts.slice(30)}}`,
    ],
    ['as', '1:1: reserved identifier: as'],
    ['has(m)', '1:5: invalid argument to has() macro'],
    ['1.all(2, 3)', '1:7: argument must be a simple name'],
    ['m.filter(a.b, false)', '1:11: argument is not an identifier'],
    ['m.map(__result__, __result__)', '1:7: iteration variable overwrites accumulator variable'],
    ['0xFFFFFFFFFFFFFFFFF', '1:1: invalid int literal'],
    ['0xFFFFFFFFFFFFFFFFFu', '1:1: invalid uint literal'],
    ['1.99e90000009', '1:1: invalid double literal'],
    ["'\\udead'", '1:1: invalid unicode code point'],
    [`${'['.repeat(251)}1`, '-1:0: expression recursion limit exceeded: 250'],
    [`a${'.b'.repeat(251)}`, '-1:0: max recursion depth exceeded'],
    [`1${' + 1'.repeat(251)}`, '-1:0: max recursion depth exceeded'],
    [`[${'1,'.repeat(1_999)}]`],
    [`[${'1,'.repeat(2_000)}]`, '-1:0: expression has more than 4000 tokens'],
  ])('%s', (text, ...expected) => {
    expect(linesOf(text)).toEqual(expected);
  });

  it('shows the line and marks the place', () => {
    expect(problemsOf('ünï')).toBe(
      "ERROR: <input>:1:1: Syntax error: token recognition error at: 'ü'\n | ünï\n | ＾\n" +
        "ERROR: <input>:1:3: Syntax error: token recognition error at: 'ï'\n | ünï\n | ．.＾",
    );
    expect(problemsOf('true &&\n\tas')).toBe('ERROR: <input>:2:2: reserved identifier: as\n |  as\n | .^');
  });
});

describe('literals', () => {
  it.each<[string, unknown]>([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['0xFF', 255n],
    ['-0x10', -16n],
    ['0xFFU', new Uint(255n)],
    ['0x0u', new Uint(0n)],
    ['1.5e3', 1500],
    ['.5', 0.5],
    ['"\\a\\b\\f\\n\\r\\t\\v\\\'\\"\\\\\\?"', '\u0007\b\f\n\r\t\v\'"\\?'],
    ["'\\x41\\101\\u263A\\U0001F600'", 'AA☺😀'],
    ['r"\\n"', '\\n'],
    ["'''a'b\nc'''", "a'b\nc"],
    ['"""x"y"""', 'x"y'],
    ["r'''\\'''", '\\'],
    ["''", ''],
    ['true // comment', true],
    ['/* no */ 1', undefined],
  ])('%s', (text, expected) => {
    if (expected === undefined) expect(() => parseExpression(text)).toThrow(CelError);
    else expect(parseExpression(text)).toMatchObject({ kind: 'literal', value: expected });
  });

  it('reads bytes', () => {
    expect(parseExpression("b'ÿ\\xFF\\377'")).toMatchObject({ value: new Uint8Array([0xc3, 0xbf, 0xff, 0xff]) });
  });
});
