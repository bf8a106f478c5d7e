import { describe, expect, it } from 'vitest';
import { familiesOf, parseNodePortRange, parseServiceRanges, serviceAddress } from './service-ranges.ts';

describe('the ranges of a server', () => {
  it.each([
    ['10.0.0.0/24', ['IPv4'], '10.0.0.1'],
    ['10.96.7.7/16', ['IPv4'], '10.96.0.1'],
    ['fd00::/108', ['IPv6'], 'fd00::1'],
    ['10.0.0.0/24, fd00::/108', ['IPv4', 'IPv6'], '10.0.0.1'],
    ['fd00::/108,10.0.0.0/24', ['IPv6', 'IPv4'], 'fd00::1'],
  ])('%s', (text, families, address) => {
    const ranges = parseServiceRanges(text);
    expect(familiesOf(ranges)).toEqual(families);
    expect(serviceAddress(ranges)).toBe(address);
  });

  it.each(['', 'x', '10.0.0.0', '10.0.0.0/24,10.1.0.0/24', '10.0.0.0/24,fd00::/108,fd01::/108'])('not %j', (text) => {
    expect(() => parseServiceRanges(text)).toThrow(RangeError);
  });
});

describe('the ports of nodes', () => {
  it.each([
    ['30000-32767', 30_000, 32_767],
    ['30000+100', 30_000, 30_100],
    ['8080', 8080, 8080],
  ])('%s', (text, first, last) => {
    expect(parseNodePortRange(text)).toEqual({ first, last });
  });

  it.each(['', 'x', '0-5', '5-4', '1-70000', '1-2-3'])('not %j', (text) => {
    expect(() => parseNodePortRange(text)).toThrow(RangeError);
  });
});
