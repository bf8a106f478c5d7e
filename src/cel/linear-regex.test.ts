import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../test/codec/cpu-time.ts';
import { isLong } from '../../test/is-long.ts';
import { usedMemory } from '../../test/used-memory.ts';
import { CelError } from './cel-error.ts';
import { LinearRegex } from './linear-regex.ts';
import { withWorkLimit } from './work.ts';

const unbounded = Number.POSITIVE_INFINITY;
const test = (pattern: string, text: string) => withWorkLimit(unbounded, () => new LinearRegex(pattern).test(text));
const findAll = (pattern: string, text: string) =>
  withWorkLimit(unbounded, () => new LinearRegex(pattern).findAll(text));

describe('LinearRegex', () => {
  it.each<[string, string, string[]]>([
    ['a+', 'aab a', ['aa', 'a']],
    ['a+?', 'aa', ['a', 'a']],
    ['a|ab', 'ab', ['a']],
    ['(?:ab|a)(?:c|bcd)?', 'abcd', ['abc']],
    ['a{2,3}', 'aaaaa', ['aaa', 'aa']],
    ['a{2}', 'aaa', ['aa']],
    ['a{,2}', 'a{,2}', ['a{,2}']],
    ['x*', 'axb', ['', 'x', '']],
    ['(?i)straße', 'STRAßE', ['STRAßE']],
    ['(?i:a)b', 'Ab aB', ['Ab']],
    ['(?s).', '\n', ['\n']],
    ['.', '\n', []],
    ['(?m)^b$', 'a\nb\nc', ['b']],
    ['^b$', 'a\nb', []],
    ['\\Ab|c\\z', 'bcbc', ['b', 'c']],
    ['(?U)a+', 'aa', ['a', 'a']],
    ['\\bfoo\\b', 'foo food', ['foo']],
    ['\\Boo', 'foo oo', ['oo']],
    ['[^a-c\\d]+', 'abz1_', ['z', '_']],
    ['[]a]+', 'a]b', ['a]']],
    ['[a\\-z-]+', 'a-zb', ['a-z']],
    ['[[:alpha:][:digit:]]+', 'a1!', ['a1']],
    ['[[:^alpha:]]', 'a1', ['1']],
    ['\\pL+', 'aé1', ['aé']],
    ['\\p{Greek}+\\P{L}', 'αβ1', ['αβ1']],
    ['\\x41\\x{1F600}\\101\\n', 'A😀A\n', ['A😀A\n']],
    ['\\Qa.b\\E+', 'a.bbb', ['a.bbb']],
    ['(?P<name>a)(?<other>b)', 'ab', ['ab']],
    ['(a*)*', 'aa', ['aa']],
    ['(|a)+', 'aa', ['', '', '']],
    ['(|a)*', 'aa', ['', '', '']],
    ['(a|b){2,}', 'aba', ['aba']],
    ['', 'ab', ['', '', '']],
    ['😀+', 'a😀😀', ['😀😀']],
    ['(?i)[k]', '\u212a', ['\u212a']],
  ])('%s in %j', (pattern, text, expected) => {
    expect(findAll(pattern, text)).toEqual(expected);
    expect(test(pattern, text)).toBe(expected.length > 0);
  });

  it.each<[string, string]>([
    ['(', 'error parsing regexp: missing closing ): `(`'],
    ['a)', 'error parsing regexp: unexpected ): `a)`'],
    ['[a', 'error parsing regexp: missing closing ]: `[a`'],
    ['*', 'error parsing regexp: missing argument to repetition operator: `*`'],
    ['a**', 'error parsing regexp: invalid nested repetition operator'],
    ['a{3,2}', 'error parsing regexp: invalid repeat count: `{3,2}`'],
    ['a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
    ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)', 'error parsing regexp: invalid named capture: `(?<!a)`'],
    ['(a)\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
    ['\\y', 'error parsing regexp: invalid escape sequence: `\\y`'],
    ['\\', 'error parsing regexp: trailing backslash at end of expression'],
    ['[z-a]', 'error parsing regexp: invalid character class range: `z-a`'],
    ['\\p{Nope}', 'error parsing regexp: invalid character class range: `\\p{Nope}`'],
    ['((a{100}){100}){100}', 'error parsing regexp: invalid repeat count: `{100}`'],
    [`${'('.repeat(1001)}a${')'.repeat(1001)}`, 'error parsing regexp: expression nests too deeply'],
    ['a'.repeat(10_001), 'error parsing regexp: expression too large'],
  ])('refuses %s', (pattern, message) => {
    expect(() => new LinearRegex(pattern)).toThrow(message);
    expect(() => new LinearRegex(pattern)).toThrow(CelError);
  });

  it.each(['(x+x+)+y', '(a|aa)+$', '(.*)*b', '([a-z]+)*1'])('does not explode on %s', (pattern) => {
    const start = process.cpuUsage();
    expect(test(pattern, `${'xa'.repeat(1_000)}!`)).toBe(false);
    expect(cpuTime(start)).toBeLessThan(20_000);
  });

  it('finds the same as JavaScript', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(?:a|ab)', '(?:b|ba|)', '^', '$', '\\b', '\\w');
    const repeat = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{1,2}', '{2}');
    const term = fc
      .tuple(atom, repeat)
      .filter(([name, times]) => times === '' || !['^', '$', '\\b'].includes(name))
      .map((both) => both.join(''));
    const pattern = fc.array(fc.oneof(term, fc.constant('|')), { maxLength: 6 }).map((terms) => terms.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 10 });
    fc.assert(
      fc.property(pattern, text, (source, input) => {
        expect(test(source, input)).toBe(new RegExp(source).test(input));
        expect(findAll(source, input)[0]).toBe(new RegExp(source).exec(input)?.[0]);
      }),
      { numRuns: isLong ? 20_000 : 600 },
    );
  });
});

it('keeps few of the large patterns that clients choose', () => {
  const use = (count: number, prefix: string): void => {
    for (let nth = 0; nth < count; nth++) {
      withWorkLimit(unbounded, () => LinearRegex.of(`${prefix}${nth}${'a'.repeat(9_900)}`));
    }
  };
  use(10, 'first');
  const before = usedMemory();
  use(60, 'other');
  // Each takes 0.8 MB.
  expect(usedMemory() - before).toBeLessThan(15e6);
});
