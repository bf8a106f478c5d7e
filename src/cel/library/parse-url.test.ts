import { describe, expect, it } from 'vitest';
import { parseUrl } from './parse-url.ts';

describe('parseUrl', () => {
  it.each([
    [
      'https://u:p@Example.com:443/a%20b?q=1',
      { scheme: 'https', host: 'Example.com:443', path: '/a%20b', query: 'q=1' },
    ],
    ['HTTP://a/b#f', { scheme: 'http', host: 'a', path: '/b', query: '' }],
    ['/a/b?c#d', { scheme: '', host: '', path: '/a/b', query: 'c' }],
    ['//host/path', { scheme: '', host: 'host', path: '/path', query: '' }],
    ['mailto:a@b', { scheme: 'mailto', host: '', path: '', query: '' }],
    ['http://', { scheme: 'http', host: '', path: '', query: '' }],
    ['http://[fe80::1%25en0]:80/', { scheme: 'http', host: '[fe80::1%en0]:80', path: '/', query: '' }],
    ['http://%E4%BD%A0/', { scheme: 'http', host: '你', path: '/', query: '' }],
    ['*', { scheme: '', host: '', path: '*', query: '' }],
  ])('%s', (text, expected) => {
    expect(parseUrl(text)).toEqual(expected);
  });

  it.each([
    ['', 'empty url'],
    ['x', 'invalid URI for request'],
    ['../a', 'invalid URI for request'],
    ['1a:b', 'invalid URI for request'],
    [':x', 'missing protocol scheme'],
    ['http://a b/', 'invalid character " " in host name'],
    ['http://a#f', 'invalid character "#" in host name'],
    ['http://a%41/', 'invalid URL escape "%41"'],
    ['http://a:x/', 'invalid port ":x" after host'],
    ['http://a:80:80/', 'invalid port ":80:80" after host'],
    ['http://[::1/', "missing ']' in host"],
    ['http://[1.2.3.4]/', 'invalid IP-literal'],
    ['http://a[::1]/', 'invalid IP-literal'],
    ['http://[x]/', 'invalid host: ParseAddr("x"): unable to parse IP'],
    ['http://u^@a/', 'net/url: invalid userinfo'],
    ['https://a/%zz', 'invalid URL escape "%zz"'],
    ['/%4', 'invalid URL escape "%4"'],
  ])('%s is refused', (text, problem) => {
    expect(() => parseUrl(text)).toThrow(`parse "${text}": ${problem}`);
  });

  it('refuses control characters', () => {
    expect(() => parseUrl('/a\u0001')).toThrow('parse "/a\\x01": net/url: invalid control character in URL');
  });
});
