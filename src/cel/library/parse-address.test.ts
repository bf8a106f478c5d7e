import { describe, expect, it } from 'vitest';
import { compileExpression } from '../compile-expression.ts';
import { parseAddress, parsePrefix } from './parse-address.ts';

describe('parseAddress', () => {
  it.each([
    ['1.2.3.4', 0x01020304n],
    ['0.0.0.0', 0n],
    ['::', 0n],
    ['::1', 1n],
    ['1::', 1n << 112n],
    ['1:2:3:4:5:6:7:8', 0x00010002000300040005000600070008n],
    ['fe80::ABCD', (0xfe80n << 112n) + 0xabcdn],
    ['1:2:3:4:5:6:1.2.3.4', 0x00010002000300040005000601020304n],
    ['::1.2.3.4', 0x01020304n],
    ['fe80::1%eth0', (0xfe80n << 112n) + 1n],
  ])('%s', (text, bits) => {
    expect(parseAddress(text).bits).toBe(bits);
  });

  it.each([
    ['', 'unable to parse IP'],
    ['abc', 'unable to parse IP'],
    ['%1', 'missing IPv6 address'],
    ['1.2.3', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['1.2.3.256', 'IPv4 field has value >255'],
    ['1.2.3.04', 'IPv4 field has octet with leading zero'],
    ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
    ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
    ['1.2.3.x', 'unexpected character (at "x")'],
    ['fe80::1%', 'zone must be a non-empty string'],
    [':1', 'each colon-separated field must have at least one digit (at ":1")'],
    ['2001:db8:::68', 'each colon-separated field must have at least one digit (at ":68")'],
    ['12345::', 'each group must have 4 or less digits (at "12345::")'],
    ['1:g', 'each colon-separated field must have at least one digit (at "g")'],
    ['1:2g', 'unexpected character, want colon (at "g")'],
    ['1:', 'colon must be followed by more characters (at ":")'],
    ['1::2::3', 'multiple :: in address (at ":3")'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['1:2', 'address string too short'],
    ['1:2:3:4::5:6:7:8', 'the :: must expand to at least one field of zeros'],
    ['1:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
    ['::1:2:3:4:5:6:7:1.2.3.4', 'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")'],
    ['::1.2.3.256', 'IPv4 field has value >255'],
  ])('%s is refused', (text, problem) => {
    expect(() => parseAddress(text)).toThrow(`ParseAddr("${text}"): ${problem}`);
  });
});

describe('parsePrefix', () => {
  it.each([
    ['10.0.0.0', "no '/'"],
    ['10.0.0/8', 'ParseAddr("10.0.0"): IPv4 address too short'],
    ['fe80::1%a/64', 'IPv6 zones cannot be present in a prefix'],
    ['10.0.0.0/', 'bad bits after slash: ""'],
    ['10.0.0.0/08', 'bad bits after slash: "08"'],
    ['10.0.0.0/+8', 'bad bits after slash: "+8"'],
    ['10.0.0.0/99999999999999999999', 'bad bits after slash: "99999999999999999999"'],
    ['10.0.0.0/33', 'prefix length out of range'],
    ['::/129', 'prefix length out of range'],
  ])('%s is refused', (text, problem) => {
    expect(() => parsePrefix(text)).toThrow(`netip.ParsePrefix("${text}"): ${problem}`);
  });

  it('reads both parts', () => {
    expect(parsePrefix('::1/128')).toEqual({ address: { family: 6, bits: 1n, zone: undefined }, length: 128 });
  });
});

describe('errors of ip() and cidr()', () => {
  const cidr = 'network address parse error during conversion from string: ';
  it.each([
    [
      "ip('1.2.3.4.5')",
      'IP Address "1.2.3.4.5" parse error during conversion from string: ParseAddr("1.2.3.4.5"): IPv4 address too long',
    ],
    ["ip('fe80::1%en0')", 'IP address "fe80::1%en0" with zone value is not allowed'],
    ["ip('::ffff:1.2.3.4')", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
    ["cidr('1.2.3.4')", `${cidr}${cidr}netip.ParsePrefix("1.2.3.4"): no '/'`],
    ["cidr('::ffff:1.2.3.4/120')", `${cidr}IPv4-mapped IPv6 address "::ffff:1.2.3.4/120" is not allowed`],
  ])('%s', (text, message) => {
    expect(() => compileExpression(text, { variables: {} }).evaluate({})).toThrow(message);
  });
});
