import { describe, expect, it } from 'vitest';
import { parseAllowedOrigins } from './cross-origin.ts';

describe('parseAllowedOrigins', () => {
  it.each<[patterns: string[], allowed: string[], refused: string[]]>([
    [[], [], ['https://a.example', 'null', '']],
    [
      ['^https://a\\.example$'],
      ['https://a.example'],
      ['http://a.example', 'https://a.example:8443', 'https://a.example.attacker.net', 'https://b.a.example'],
    ],
    [
      ['//a\\.example(:|$)'],
      ['https://a.example', 'http://a.example:80'],
      ['https://a.example.attacker.net', 'https://xa.example'],
    ],
    [['^https://a\\.example$', '://b\\.example$'], ['https://a.example', 'ftp://b.example'], ['https://c.example']],
    [['^null$'], ['null'], ['https://a.example']],
  ])('%j', (patterns, allowed, refused) => {
    const isAllowed = parseAllowedOrigins(patterns);
    for (const origin of allowed) expect(isAllowed(origin), origin).toBe(true);
    for (const origin of refused) expect(isAllowed(origin), origin).toBe(false);
  });

  it.each([
    ['', 'empty value in --cors-allowed-origins'],
    ['a.example', 'does not pin to start/end of host in the origin header'],
    ['^a.example', 'does not pin to start/end of host in the origin header'],
    ['//a.example', 'does not pin to start/end of host in the origin header'],
    ['a.example$', 'does not pin to start/end of host in the origin header'],
    ['a.example(:|$)', 'does not pin to start/end of host in the origin header'],
    ['^https://(a$', 'invalid regular expression'],
    ['^https://(?=a)$', 'invalid regular expression'],
  ])('refuses %j', (pattern, message) => {
    const parsing = () => parseAllowedOrigins(['^https://good\\.example$', pattern]);
    expect(parsing).toThrow(RangeError);
    expect(parsing).toThrow(message);
  });

  it('matches in linear time', () => {
    const isAllowed = parseAllowedOrigins(['^https://(a+)+$']);
    expect(isAllowed(`https://${'a'.repeat(50_000)}!`)).toBe(false);
  });
});
