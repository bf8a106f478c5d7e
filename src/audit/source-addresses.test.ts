import { describe, expect, it } from 'vitest';
import { sourceAddresses } from './source-addresses.ts';

describe('sourceAddresses', () => {
  it.each<[string, Record<string, string>, string, string[]]>([
    ['the other end', {}, '10.0.0.1', ['10.0.0.1']],
    ['proxies first', { 'x-forwarded-for': '1.1.1.1, 2.2.2.2' }, '10.0.0.1', ['1.1.1.1', '2.2.2.2', '10.0.0.1']],
    ['not twice in a row', { 'x-forwarded-for': '1.1.1.1,10.0.0.1' }, '10.0.0.1', ['1.1.1.1', '10.0.0.1']],
    ['what is real', { 'x-real-ip': '3.3.3.3' }, '10.0.0.1', ['3.3.3.3', '10.0.0.1']],
    [
      'what is real once',
      { 'x-forwarded-for': '3.3.3.3, 1.1.1.1', 'x-real-ip': '3.3.3.3' },
      '10.0.0.1',
      ['3.3.3.3', '1.1.1.1', '10.0.0.1'],
    ],
    ['no nonsense', { 'x-forwarded-for': 'x, , 1.2.3, "8.8.8.8"', 'x-real-ip': 'secret' }, '10.0.0.1', ['10.0.0.1']],
    [
      'one form',
      { 'x-forwarded-for': '010.001.0.1, 2001:DB8:0:0::1, ::ffff:1.2.3.4' },
      '::1',
      ['10.1.0.1', '2001:db8::1', '1.2.3.4', '::1'],
    ],
    ['nothing', {}, '', []],
  ])('tells %s', (_name, headers, remoteAddress, expected) => {
    expect(sourceAddresses({ header: (name) => headers[name], remoteAddress })).toEqual(expected);
  });

  it('is bounded', () => {
    const header = () => Array.from({ length: 10_000 }, (_, index) => `1.1.${index % 250}.${index % 199}`).join(',');
    expect(sourceAddresses({ header, remoteAddress: '9.9.9.9' }).length).toBeLessThan(70);
  });
});
