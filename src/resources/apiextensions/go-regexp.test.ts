import { describe, expect, it } from 'vitest';
import { goRegexpError } from './go-regexp.ts';

describe('the syntax of Go patterns', () => {
  it.each([
    '',
    '^[a-z]([-a-z0-9]*[a-z0-9])?$',
    'a{2,3}?b{4}c{5,}',
    '(?i)abc|(?s:d.)|(?P<name>e)|(?<other>f)',
    '[]a]|[^]]|[[:alpha:]_-]|[\\d\\-z]',
    '\\p{Greek}\\pL\\x41\\x{10FFFF}\\Q(*\\E\\/',
    'a{b}|{|}',
    '^*$',
    '[+-.]',
  ])('takes %s', (pattern) => expect(goRegexpError(pattern)).toBeUndefined());

  it.each([
    ['(', 'missing closing ): `(`'],
    ['a(b', 'missing closing ): `a(b`'],
    ['a)', 'unexpected ): `a)`'],
    ['[a', 'missing closing ]: `[a`'],
    ['x[z-a]', 'invalid character class range: `z-a`'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['(|+)', 'missing argument to repetition operator: `+`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a{3,2}', 'invalid repeat count: `{3,2}`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?!a)', 'invalid or unsupported Perl syntax: `(?!`'],
    ['(?<=a)', 'invalid named capture: `(?<=a)`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['\\Z', 'invalid escape sequence: `\\Z`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
  ])('refuses %s', (pattern, problem) => expect(goRegexpError(pattern)).toBe(`error parsing regexp: ${problem}`));
});
