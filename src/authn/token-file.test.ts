import { describe, expect, it } from 'vitest';
import { TokenFile } from './token-file.ts';

function users(content: string, tokens: string[]): unknown[] {
  const file = new TokenFile(content);
  return tokens.map((token) => {
    const user = file.authenticateToken(token)?.user;
    return user && [user.name, user.uid, user.groups];
  });
}

describe('TokenFile', () => {
  it.each<[name: string, content: string, token: string, expected: unknown]>([
    ['three columns', 'tok,jane,u1\n', 'tok', ['jane', 'u1', []]],
    ['no line end', 'tok,jane,u1', 'tok', ['jane', 'u1', []]],
    ['groups', 'tok,jane,u1,"g1,g2"\n', 'tok', ['jane', 'u1', ['g1', 'g2']]],
    ['one group', 'tok,jane,u1,g1', 'tok', ['jane', 'u1', ['g1']]],
    ['no groups', 'tok,jane,u1,""\n', 'tok', ['jane', 'u1', []]],
    ['a trailing comma', 'tok,jane,u1,', 'tok', ['jane', 'u1', []]],
    ['more columns', 'tok,jane,u1,g1,more', 'tok', ['jane', 'u1', ['g1']]],
    ['an empty uid', 'tok,jane,', 'tok', ['jane', '', []]],
    ['Windows lines', 'a,x,1\r\ntok,jane,u1,"g"\r\n', 'tok', ['jane', 'u1', ['g']]],
    ['empty lines', '\n\ntok,jane,u1\n\n\r\n', 'tok', ['jane', 'u1', []]],
    ['quotes in quotes', '"to""k","j,""ane""",u1', 'to"k', ['j,"ane"', 'u1', []]],
    ['line ends in quotes', '"t\nok",jane,u1\nx,y,z', 't\nok', ['jane', 'u1', []]],
    ['the last of equal ones', 'tok,jane,u1\ntok,joe,u2', 'tok', ['joe', 'u2', []]],
    ['spaces as they are', ' tok ,jane,u1', ' tok ', ['jane', 'u1', []]],
  ])('reads %s', (_name, content, token, expected) => {
    expect(users(content, [token])).toEqual([expected]);
  });

  it('knows no other token', () => {
    expect(users('tok,jane,u1\n', ['', 'to', 'tok ', 'TOK', 'jane'])).toEqual(Array(5).fill(undefined));
    expect(users('', [''])).toEqual([undefined]);
    expect(users(',jane,u1', [''])).toEqual([undefined]);
  });

  it.each<[name: string, content: string, text: string]>([
    [
      'columns missing',
      'tok,jane,u1\nsecret,joe\n',
      'token file: line 2: must have at least 3 columns (token, user name, user uid), found 2',
    ],
    [
      'a name alone',
      '"a\nb",x,y\nsecret\n',
      'token file: line 3: must have at least 3 columns (token, user name, user uid), found 1',
    ],
    ['a quote within', 'tok,jane,u1\nse"cret,joe,1\n', 'token file: line 2: bare " in non-quoted field'],
    ['a quote without end', 'tok,"jane,u1\n', 'token file: line 1: extraneous or missing " in quoted-field'],
    ['text after a quote', '"secret"x,jane,u1\n', 'token file: line 1: extraneous or missing " in quoted-field'],
  ])('says where it is wrong: %s', (_name, content, text) => {
    expect(() => new TokenFile(content)).toThrow(new RangeError(text));
  });

  it('warns about unusable lines without quoting their tokens', () => {
    const warnings: string[] = [];
    new TokenFile('tok,a,1\n,b,2\ntok,c,3\n', { warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([
      'token file: line 2: empty token',
      'token file: line 3: duplicate token, the last one wins',
    ]);
  });

  it('replaces its tokens and keeps the old ones when the new content is malformed', () => {
    const file = new TokenFile('a,x,1');
    expect(() => file.replace('b')).toThrow(RangeError);
    expect(file.authenticateToken('a')).toBeDefined();
    file.replace(Buffer.from('b,y,2'));
    expect(file.authenticateToken('a')).toBeUndefined();
    expect(file.authenticateToken('b')?.user.name).toBe('y');
  });
});
