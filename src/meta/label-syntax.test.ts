import { describe, expect, test } from 'vitest';
import { annotationKeyErrors, labelKeyErrors, labelValueErrors } from './label-syntax.ts';

const name =
  /^name part must consist of alphanumeric characters, .*\(e\.g\. 'MyName', {2}or 'my\.name', {2}or '123-abc', regex/;
const prefix = /^prefix part a lowercase RFC 1123 subdomain must consist of/;
const value =
  /^a valid label must be an empty string or consist of .*\(e\.g\. 'MyValue', {2}or 'my_value', {2}or '12345', regex/;

describe('label keys', () => {
  test.each(['a', 'A_b.c-D', '1', 'example.com/a', 'a/b', `${'a'.repeat(253)}/${'b'.repeat(63)}`])(
    'accepts %s',
    (key) => {
      expect(labelKeyErrors(key)).toEqual([]);
    },
  );

  test.each([
    ['-a', [name]],
    ['a b', [name]],
    ['é', [name]],
    ['', [/^name part must be non-empty$/, name]],
    ['a.b/', [/^name part must be non-empty$/, name]],
    ['/a', [/^prefix part must be non-empty$/]],
    ['Up.com/a', [prefix]],
    ['a b/c', [prefix]],
    ['Up/-', [prefix, name]],
    ['x'.repeat(64), [/^name part must be no more than 63 bytes$/]],
    [`${'a'.repeat(254)}/b`, [/^prefix part must be no more than 253 bytes$/]],
    [
      'a/b/c',
      [
        /^a valid label key must consist of .* with an optional DNS subdomain prefix and '\/' \(e\.g\. 'example\.com\/MyName'\)$/,
      ],
    ],
  ])('refuses %j', (key, patterns) => {
    const errors = labelKeyErrors(key);
    expect(errors).toHaveLength(patterns.length);
    for (const [index, pattern] of patterns.entries()) expect(errors[index]).toMatch(pattern);
  });
});

describe('label values', () => {
  test.each(['', 'a', '1.2_3-Z', 'x'.repeat(63)])('accepts %j', (text) => {
    expect(labelValueErrors(text)).toEqual([]);
  });

  test.each(['-a', 'a-', '*', 'a b', 'a/b', '.', 'ä'])('refuses %j', (text) => {
    expect(labelValueErrors(text)).toEqual([expect.stringMatching(value)]);
  });

  test('are limited to 63 bytes', () => {
    expect(labelValueErrors('x'.repeat(64))).toEqual(['must be no more than 63 bytes']);
  });
});

test('annotation keys may have upper-case letters in the prefix', () => {
  expect(annotationKeyErrors('Example.COM/Key')).toEqual([]);
  expect(labelKeyErrors('Example.COM/Key')).toEqual([expect.stringMatching(prefix)]);
  expect(annotationKeyErrors('bad key')).toEqual([expect.stringMatching(name)]);
});
