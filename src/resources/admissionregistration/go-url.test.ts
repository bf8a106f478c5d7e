import { describe, expect, it } from 'vitest';
import { parseGoUrl } from './go-url.ts';

describe('parseGoUrl', () => {
  it.each([
    ['https://h/p', { scheme: 'https', host: 'h', user: undefined, query: '', fragment: '' }],
    ['HTTPS://u:p@h:8443/p?a=b#c%20d', { scheme: 'https', host: 'h:8443', user: 'u:p', query: 'a=b', fragment: 'c d' }],
    ['https://[::1]:443', { scheme: 'https', host: '[::1]:443' }],
    ['mailto:x', { scheme: 'mailto', host: '' }],
    ['/only/a/path', { scheme: '', host: '' }],
    ['', { scheme: '', host: '' }],
  ])('reads %s', (text, expected) => expect(parseGoUrl(text)).toMatchObject(expected));

  it.each([
    ['::', 'parse "::": missing protocol scheme'],
    ['1:2', 'parse "1:2": first path segment in URL cannot contain colon'],
    ['https://h:x/', 'parse "https://h:x/": invalid port ":x" after host'],
    ['https://[::1/', `parse "https://[::1/": missing ']' in host`],
    ['https://a b/', 'parse "https://a b/": invalid character " " in host name'],
    ['https://h/%zz', 'parse "https://h/%zz": invalid URL escape "%zz"'],
    ['https://u ser@h', 'parse "https://u ser@h": net/url: invalid userinfo'],
    ['https://h/\n', 'parse "https://h/\\n": net/url: invalid control character in URL'],
  ])('refuses %s', (text, problem) => expect(parseGoUrl(text)).toBe(problem));
});
