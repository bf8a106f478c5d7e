import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLabelSelector } from './label-selector.ts';

const failure = (text: string) => {
  try {
    parseLabelSelector(text);
  } catch (error) {
    return (error as { status: { code: number; reason: string; message: string } }).status;
  }
  throw new Error(`${text} was accepted`);
};

describe('matching', () => {
  test.each([
    ['', {}, true],
    ['a', { a: '' }, true],
    ['a', { b: 'x' }, false],
    ['!a', { b: 'x' }, true],
    ['!a', { a: 'x' }, false],
    ['! a', { a: 'x' }, false],
    ['a=b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a=b', {}, false],
    ['a==b', { a: 'b' }, true],
    ['a=', { a: '' }, true],
    ['a=', {}, false],
    ['a!=b', { a: 'c' }, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b,c)', { a: 'c' }, true],
    ['a in (b,c)', { a: 'd' }, false],
    ['a in (b,c)', {}, false],
    ['a in ()', { a: '' }, true],
    ['a in (b,)', { a: '' }, true],
    ['a in (,b)', { a: 'b' }, true],
    ['a notin (b,c)', { a: 'd' }, true],
    ['a notin (b,c)', {}, true],
    ['a notin (b,c)', { a: 'b' }, false],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: '5' }, false],
    ['a>5', { a: 'x' }, false],
    ['a>5', {}, false],
    ['a<5', { a: '4' }, true],
    ['a<5', { a: '-1' }, true],
    ['a<9223372036854775807', { a: '9223372036854775806' }, true],
    ['a<9223372036854775807', { a: '9223372036854775808' }, false],
    ['a,b=1,!c', { a: '', b: '1' }, true],
    ['a,b=1,!c', { a: '', b: '1', c: '' }, false],
    [' a = b , c ', { a: 'b', c: '' }, true],
    ['a\tin\n(b)', { a: 'b' }, true],
    ['in in (in)', { in: 'in' }, true],
    ['notin', { notin: '' }, true],
    ['example.com/a=b', { 'example.com/a': 'b' }, true],
    ['constructor', {}, false],
    ['a=1,a!=2', { a: '1' }, true],
  ])('%j on %j: %s', (text, labels, expected) => {
    expect(parseLabelSelector(text).matches(labels as Record<string, string>)).toBe(expected);
  });

  test('treats absent labels like an empty map', () => {
    expect(parseLabelSelector('!a').matches(undefined)).toBe(true);
    expect(parseLabelSelector('a').matches(undefined)).toBe(false);
  });

  test('reports only the empty selector as empty', () => {
    expect(parseLabelSelector('').empty).toBe(true);
    expect(parseLabelSelector('a').empty).toBe(false);
  });
});

describe('canonical text', () => {
  test.each([
    ['b=1,a', 'a,b=1'],
    ['k in (z,a,z)', 'k in (a,z)'],
    ['k notin ()', 'k notin ()'],
    [' ! k ', '!k'],
    ['k == v', 'k==v'],
    ['k>1,j<2', 'j<2,k>1'],
    ['k!=', 'k!='],
  ])('%j is %j', (text, canonical) => {
    expect(parseLabelSelector(text).toString()).toBe(canonical);
  });

  test('parses to the same selector', () => {
    const key = fc.stringMatching(/^[a-z]([a-z.]{0,5}[a-z])?$/);
    const value = fc.stringMatching(/^([a-z0-9]{0,4})$/);
    const requirement = fc.oneof(
      key,
      key.map((k) => `!${k}`),
      fc.tuple(key, fc.constantFrom('=', '==', '!='), value).map((pieces) => pieces.join('')),
      fc
        .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1 }))
        .map(([k, o, v]) => `${k} ${o} (${v})`),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const canonical = parseLabelSelector(requirements.join(' , ')).toString();
        expect(parseLabelSelector(canonical).toString()).toBe(canonical);
      }),
    );
  });
});

describe('syntax errors', () => {
  test.each([
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['=b', "found '=', expected: !, identifier, or 'end of string'"],
    ['(a)', "found '(', expected: !, identifier, or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a gt 5', "unable to parse requirement: found 'gt', expected: in, notin, =, ==, !=, gt, lt"],
    ['a!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!!a', "unable to parse requirement: found '!', expected: identifier"],
    ['a=(', "unable to parse requirement: found '(', expected: identifier"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a in (b) c', "found 'c', expected: ',' or 'end of string'"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['a in (b,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      'a<',
      `unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('%j', (text, message) => {
    expect(failure(text)).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  test.each([
    ['-a=b', 'unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of'],
    [
      'a=-b',
      'unable to parse requirement: values[0][a]: Invalid value: "-b": a valid label must be an empty string or',
    ],
    ['a in (b,-)', 'unable to parse requirement: values[0][a]: Invalid value: "-": a valid label must be'],
    [
      'a>-x',
      "unable to parse requirement: [values[0]: Invalid value: \"-x\": for 'Gt', 'Lt' operators, the value must be an integer, values[0][a]: ",
    ],
    [
      `a=${'x'.repeat(64)}`,
      `unable to parse requirement: values[0][a]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
    ],
  ])('%j names the bad key or value', (text, start) => {
    expect(failure(text).message.slice(0, start.length)).toBe(start);
  });
});

test('has at most 1,000 requirements', () => {
  const text = (count: number): string => Array.from({ length: count }, (_, index) => `!k${index}`).join();
  expect(parseLabelSelector(text(1_000)).requirements).toHaveLength(1_000);
  expect(() => parseLabelSelector(text(1_001))).toThrow('must not have more than 1000 requirements');
  expect(parseLabelSelector(`a in (${text(4_000).replaceAll('!', '')})`).matches({ a: 'k3999' })).toBe(true);
});
