import { describe, expect, it } from 'vitest';
import { areTrailers, requestHead } from './request-head.ts';

const usual = { ':method': 'GET', ':scheme': 'https', ':authority': 'x', ':path': '/' };
const fieldsOf = (changes: Record<string, string | undefined>): string[] =>
  Object.entries({ ...usual, ...changes }).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));

describe('a request', () => {
  it('has what its fields say', () => {
    const head = requestHead([
      ...fieldsOf({ ':method': 'PUT', ':path': '/a?b', accept: 'a', 'content-length': '12' }),
      ...['accept', 'b', 'cookie', 'c=1', 'cookie', 'd=2'],
    ])!;
    expect(head).toMatchObject({ method: 'PUT', target: '/a?b', protocol: undefined, contentLength: 12 });
    expect(head.value('accept')).toBe('a, b');
    expect(head.value('cookie')).toBe('c=1; d=2');
    expect(head.value(':authority')).toBe('x');
    expect(head.value('constructor')).toBeUndefined();
    expect(head.fields.slice(0, 2)).toEqual([':method', 'PUT']);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['without a body', {}],
    ['with a method of its own', { ':method': 'BREW' }],
    ['for everything', { ':method': 'OPTIONS', ':path': '*' }],
    ['with a host', { ':authority': undefined, host: 'x' }],
    ['for a tunnel', { ':method': 'CONNECT', ':scheme': undefined, ':path': undefined }],
    ['for another protocol', { ':method': 'CONNECT', ':protocol': 'websocket' }],
    ['with trailers', { te: 'trailers' }],
    ['with bytes beyond ASCII', { x: '\xe4', ':path': '/\xe4' }],
    ['with an empty value', { x: '' }],
    ['with a tab in a value', { x: 'a\tb' }],
  ])('%s is accepted', (_what, changes) => {
    expect(requestHead(fieldsOf(changes))).toBeDefined();
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['no method', { ':method': undefined }],
    ['no scheme', { ':scheme': undefined }],
    ['no path', { ':path': undefined }],
    ['no authority', { ':authority': undefined }],
    ['an empty method', { ':method': '' }],
    ['a blank in the method', { ':method': 'GE T' }],
    ['an empty path', { ':path': '' }],
    ['a relative path', { ':path': 'a' }],
    ['a blank in the path', { ':path': '/a b' }],
    ['a star as path', { ':path': '*' }],
    ['a bad scheme', { ':scheme': '1' }],
    ['a bad authority', { ':authority': 'a b' }],
    ['an unknown pseudo-header', { ':other': 'x' }],
    ['a status', { ':status': '200' }],
    ['a protocol without CONNECT', { ':protocol': 'websocket' }],
    ['a tunnel with a path', { ':method': 'CONNECT', ':scheme': undefined }],
    ['another protocol without a path', { ':method': 'CONNECT', ':protocol': 'websocket', ':path': undefined }],
    ['an empty name', { '': 'x' }],
    ['capitals in a name', { Accept: 'x' }],
    ['a blank in a name', { 'a b': 'x' }],
    ['a colon in a name', { 'a:b': 'x' }],
    ['a byte beyond ASCII in a name', { '\xe4': 'x' }],
    ['a null in a value', { x: 'a\0b' }],
    ['a line feed in a value', { x: 'a\nb' }],
    ['a carriage return in a value', { x: 'a\rb' }],
    ['a deletion in a value', { x: 'a\x7f' }],
    ['a blank before a value', { x: ' a' }],
    ['a tab behind a value', { x: 'a\t' }],
    ['a connection', { connection: 'close' }],
    ['a keep-alive', { 'keep-alive': '1' }],
    ['a connection of a proxy', { 'proxy-connection': 'close' }],
    ['chunks', { 'transfer-encoding': 'chunked' }],
    ['an upgrade', { upgrade: 'h2c' }],
    ['another te', { te: 'gzip' }],
    ['an empty length', { 'content-length': '' }],
    ['a negative length', { 'content-length': '-1' }],
    ['a length that is no number', { 'content-length': '1e3' }],
    ['a length beyond all numbers', { 'content-length': '9'.repeat(40) }],
  ])('is malformed if it has %s', (_what, changes) => {
    expect(requestHead(fieldsOf(changes))).toBeUndefined();
  });

  it.each<[string, string[]]>([
    ['two paths', [...fieldsOf({}), ':path', '/b']],
    ['a pseudo-header behind headers', [...fieldsOf({ ':path': undefined, x: 'y' }), ':path', '/']],
    ['two lengths', [...fieldsOf({ 'content-length': '1' }), 'content-length', '1']],
    ['two hosts', [...fieldsOf({ host: 'x' }), 'host', 'x']],
    ['nothing', []],
  ])('is malformed if it has %s', (_what, fields) => {
    expect(requestHead(fields)).toBeUndefined();
  });
});

describe('fields behind a body', () => {
  it.each<[string, string[], boolean]>([
    ['usual ones', ['x-checksum', 'abc'], true],
    ['a path', [':path', '/'], false],
    ['capitals', ['X', 'y'], false],
    ['a line break', ['x', 'a\nb'], false],
  ])('are checked: %s', (_what, fields, expected) => {
    expect(areTrailers(fields)).toBe(expected);
  });
});
