import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import {
  canonicalIpProblem,
  cidrContains,
  cidrText,
  cidrWarnings,
  ipText,
  ipWarnings,
  notCidr,
  notIp,
  parseCidr,
  parseIp,
  validateCanonicalCidr,
  validateCidr,
  validateInterfaceAddress,
  validateIp,
  validateNonSpecialIp,
} from './addresses.ts';

describe('parseIp', () => {
  it.each([
    ['10.9.8.7', '10.9.8.7'],
    ['010.0.0.1', '10.0.0.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['00001::2', '1::2'],
  ])('parses %s', (text, canonical) => {
    expect(ipText(parseIp(text)!)).toBe(canonical);
  });

  it.each(['', 'x', '10.0.0', '10.0.0.256', '10.0.0.1.2', ' 10.0.0.1', '1:2', ':::', '1::2::3', 'fe80::1%eth0', ':1'])(
    'refuses %j',
    (text) => {
      expect(parseIp(text)).toBeUndefined();
    },
  );

  it('rejects a gap that stands for no group', () => {
    expect(parseIp('1:2:3:4::5:6:7:8')).toBeUndefined();
    expect(parseIp('1:2:3:4::6:7:8')).toBeDefined();
  });
});

describe('validation', () => {
  const texts = (errors: Parameters<typeof fieldErrorText>[0][]) => errors.map(fieldErrorText);

  it.each([
    ['10.0.0.1', undefined],
    ['2001:db8:0::1', undefined],
    ['x', notIp],
    ['10.00.0.1', 'must not have leading 0s'],
    ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
  ])('checks the address %s', (text, detail) => {
    expect(texts(validateIp(text, 'f'))).toEqual(
      detail === undefined ? [] : [`f: Invalid value: "${text}": ${detail}`],
    );
    expect(validateIp(text, 'f', [text])).toEqual([]);
  });

  it('finds addresses that are not canonical', () => {
    expect(canonicalIpProblem('2001:db8::1')).toBeUndefined();
    expect(canonicalIpProblem('2001:db8:0::1')).toBe('must be in canonical form ("2001:db8::1")');
  });

  it.each([
    ['10.0.0.0/8', undefined],
    ['FD00::/112', undefined],
    ['10.0.0.0', notCidr],
    ['10.0.0.0/33', notCidr],
    ['10.0.0.0/08', 'must not have leading 0s in IP or prefix length'],
    ['::ffff:10.0.0.0/104', 'must not have an IPv4-mapped IPv6 address'],
    ['10.0.0.1/8', 'must not have bits set beyond the prefix length'],
  ])('checks the range %s', (text, detail) => {
    expect(texts(validateCidr(text, 'f'))).toEqual(
      detail === undefined ? [] : [`f: Invalid value: "${text}": ${detail}`],
    );
  });

  it('finds ranges that are not canonical', () => {
    expect(texts(validateCanonicalCidr('FD00::/112', 'f'))).toEqual([
      'f: Invalid value: "FD00::/112": must be in canonical form ("fd00::/112")',
    ]);
  });

  it.each([
    ['0.0.0.0', 'may not be unspecified (0.0.0.0)'],
    ['::', 'may not be unspecified (::)'],
    ['127.1.2.3', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['::1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['169.254.9.9', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['febf::1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['224.0.0.7', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
    ['ff02::1', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
    ['x', 'must be a valid IP address'],
  ])('refuses the special address %s', (text, detail) => {
    expect(texts(validateNonSpecialIp(text, 'f'))).toEqual([`f: Invalid value: "${text}": ${detail}`]);
  });
});

describe('ranges', () => {
  it('contain the addresses with their prefix', () => {
    const range = parseCidr('10.96.0.0/16')!;
    expect(cidrContains(range, parseIp('10.96.255.255')!)).toBe(true);
    expect(cidrContains(range, parseIp('10.97.0.0')!)).toBe(false);
    expect(cidrContains(range, parseIp('::1')!)).toBe(false);
    expect(cidrText(parseCidr('10.96.3.4/16')!)).toBe('10.96.0.0/16');
  });
});

describe('warnings', () => {
  it.each([
    ['10.0.0.1', []],
    [
      '010.0.0.1',
      [
        'f: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
      ],
    ],
    ['2001:db8:0:0::1', ['f: IPv6 address "2001:db8:0:0::1" should be in RFC 5952 canonical format ("2001:db8::1")']],
  ])('are given for the address %s', (text, expected) => {
    expect(ipWarnings('f', text)).toEqual(expected);
  });

  it.each([
    ['10.0.0.0/8', []],
    [
      '10.0.0.1/8',
      ['f: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)'],
    ],
    ['FD00::/8', ['f: IPv6 CIDR value "FD00::/8" should be in RFC 5952 canonical format ("fd00::/8")']],
  ])('are given for the range %s', (text, expected) => {
    expect(cidrWarnings('f', text)).toEqual(expected);
  });
});

it.each<[string, readonly string[]]>([
  ['10.9.8.7/24', []],
  ['2001:db8::1/64', []],
  ['010.009.008.000/24', ['f: Invalid value: "010.009.008.000/24": must be in canonical form ("10.9.8.0/24")']],
  ['2001:0db8::1/64', ['f: Invalid value: "2001:0db8::1/64": must be in canonical form ("2001:db8::1/64")']],
  [
    '10.9.8.7',
    ['f: Invalid value: "10.9.8.7": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)'],
  ],
])('the address of an interface: %s', (text, errors) => {
  expect(validateInterfaceAddress(text, 'f').map(fieldErrorText)).toEqual(errors);
});
