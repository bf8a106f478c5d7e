import { describe, expect, it } from 'vitest';
import { parseCidr, parseIp } from '../resources/validation/addresses.ts';
import { AddressPool } from './address-pool.ts';

const pool = (cidr: string) => new AddressPool(parseCidr(cidr)!);

describe('AddressPool', () => {
  it.each([
    ['10.0.0.0/24', '10.0.0.1', true],
    ['10.0.0.0/24', '10.0.0.254', true],
    ['10.0.0.0/24', '10.0.0.0', false],
    ['10.0.0.0/24', '10.0.0.255', false],
    ['10.0.0.0/24', '10.0.1.1', false],
    ['fd00::/120', 'fd00::ff', true],
    ['fd00::/120', 'fd00::', false],
    ['10.0.0.4/31', '10.0.0.4', true],
    ['10.0.0.4/32', '10.0.0.4', true],
  ])('knows whether %s contains %s', (cidr, ip, expected) => {
    expect(pool(cidr).has(parseIp(ip)!)).toBe(expected);
  });

  it.each([0, 0.5, 0.999999])('tries every address once, the low ones last (%d)', (random) => {
    const candidates = [...pool('10.0.0.0/24').candidates(() => random)];
    expect(new Set(candidates).size).toBe(254);
    expect(candidates).toHaveLength(254);
    const low = new Set(candidates.slice(-16));
    expect(low).toContain('10.0.0.1');
    expect(low).toContain('10.0.0.16');
  });

  it('stops searching in a very large range', () => {
    const first = pool('fd00::/64')
      .candidates(() => 0.5)
      .next();
    expect(first.value).toMatch(/^fd00::/);
  });
});
