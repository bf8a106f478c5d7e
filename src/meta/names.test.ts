import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/codec/cpu-time.ts';
import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  type NameRule,
  nameCheck,
  pathSegmentErrors,
} from './names.ts';

const label = /^a lowercase RFC 1123 label must .* \(e\.g\. 'my-name', {2}or '123-abc', regex used for validation is '/;
const subdomain = /^a lowercase RFC 1123 subdomain must .* \(e\.g\. 'example\.com', regex used for validation is '/;
const label1035 = /^a DNS-1035 label must .* \(e\.g\. 'my-name', {2}or 'abc-123', regex used for validation is '/;

describe('DNS labels', () => {
  test.each(['a', '1', 'a-b', '0-9', 'x'.repeat(63)])('accepts %s', (name) => {
    expect(dnsLabelErrors(name)).toEqual([]);
  });

  test.each([
    ['', [label]],
    ['A', [label]],
    ['-a', [label]],
    ['a-', [label]],
    ['a_b', [label]],
    ['a\n', [label]],
    ['é', [label]],
    ['a..b', [label]],
    ['a.b', [/^must not contain dots$/]],
    ['x'.repeat(64), [/^must be no more than 63 characters$/]],
    [`${'x'.repeat(64)}_`, [/^must be no more than 63 characters$/, label]],
    // The limit counts bytes: 32 letters of two bytes each are one too many.
    ['é'.repeat(32), [/^must be no more than 63 characters$/, label]],
  ])('refuses %j', (name, patterns) => {
    const errors = dnsLabelErrors(name);
    expect(errors).toHaveLength(patterns.length);
    for (const [index, pattern] of patterns.entries()) expect(errors[index]).toMatch(pattern);
  });

  test('includes the pattern in the message', () => {
    expect(dnsLabelErrors('A')[0]).toBe(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
        "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    );
  });
});

describe('DNS subdomains', () => {
  test.each(['a', 'a.b', 'a-b.c-d', '1.2.3.4', 'x'.repeat(253)])('accepts %s', (name) => {
    expect(dnsSubdomainErrors(name)).toEqual([]);
  });

  test.each(['', '.', 'a.', '.a', 'a..b', 'a.-b', 'A.b', 'a/b', 'a b', 'a:b'])('refuses %j', (name) => {
    expect(dnsSubdomainErrors(name)).toEqual([expect.stringMatching(subdomain)]);
  });

  test('are limited to 253 characters', () => {
    expect(dnsSubdomainErrors('x'.repeat(254))).toEqual(['must be no more than 253 characters']);
  });

  test('are validated quickly even when long and invalid', () => {
    const start = process.cpuUsage();
    expect(dnsSubdomainErrors(`${'a-'.repeat(500_000)}!`)).toHaveLength(2);
    expect(cpuTime(start)).toBeLessThan(10_000);
  });
});

describe('DNS-1035 labels', () => {
  test('must start with a letter', () => {
    expect(dns1035LabelErrors('a1')).toEqual([]);
    expect(dns1035LabelErrors('1a')).toEqual([expect.stringMatching(label1035)]);
    expect(dns1035LabelErrors('a'.repeat(64))).toEqual(['must be no more than 63 characters']);
  });
});

describe('path segments', () => {
  test.each(['system:admin', 'Bad_Name', 'x'.repeat(300), '...', 'é'])('accepts %s', (name) => {
    expect(pathSegmentErrors(name)).toEqual([]);
  });

  test.each([
    ['.', ["may not be '.'"]],
    ['..', ["may not be '..'"]],
    ['a/b', ["may not contain '/'"]],
    ['a%b', ["may not contain '%'"]],
    ['%/', ["may not contain '/'", "may not contain '%'"]],
  ])('refuses %s', (name, errors) => {
    expect(pathSegmentErrors(name)).toEqual(errors);
  });

  test('a prefix may be dots, because characters are appended', () => {
    expect(pathSegmentErrors('.', { prefix: true })).toEqual([]);
    expect(pathSegmentErrors('a/', { prefix: true })).toEqual(["may not contain '/'"]);
  });
});

describe('prefixes', () => {
  test.each<[NameRule, string]>([
    ['dnsLabel', 'web-'],
    ['dnsSubdomain', 'a.b-'],
    ['dnsLabel', 'a-'],
  ])('%s: %s may end in a dash', (rule, prefix) => {
    expect(nameCheck(rule)(prefix, { prefix: true })).toEqual([]);
    expect(nameCheck(rule)(prefix)).toHaveLength(1);
  });

  test.each(['-', 'Bad-', 'a_-x', 'a.'])('refuses %s even as a prefix', (prefix) => {
    expect(dnsLabelErrors(prefix, { prefix: true })).not.toEqual([]);
  });

  test('nameCheck accepts a function instead of a rule', () => {
    expect(nameCheck((name) => [`no ${name}`])('x')).toEqual(['no x']);
  });
});
