import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from './api.ts';
import { openSocket, readUntilClose, responsesTo, statusesOf } from './raw-socket.ts';
import { type TwoNamespaces, twoNamespaces } from './two-namespaces.ts';

let town: TwoNamespaces;
let api: TestApi;
beforeAll(async () => {
  town = await twoNamespaces();
  api = town.api;
});
afterAll(() => town.stop());

const path = '/api/v1/namespaces/a/configmaps';
const as = (who: string): string => `Authorization: Bearer ${who}\r\n`;
const close = 'Connection: close\r\n';
/** A complete request that must not be processed when it is part of another one. */
const hidden = `GET ${path}/one HTTP/1.1\r\nHost: x\r\n${as('reader')}${close}\r\n`;
const seen = 'by the reader';
const post = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${as('nobody')}`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const last = '0\r\n\r\n';
const hex = hidden.length.toString(16);

describe('an ambiguous request is rejected', () => {
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const length = `Content-Length: ${hidden.length}\r\n`;
  it.each<[string, string]>([
    ['a length, then chunks', `${post}${length}${chunked}\r\n${last}${hidden}`],
    ['chunks, then a length', `${post}${chunked}Content-Length: 5\r\n\r\n${last}${hidden}`],
    ['a length of nothing and chunks', `${post}Content-Length: 0\r\n${chunked}\r\n${chunk(hidden)}${last}`],
    [
      'a length in odd letters and chunks',
      `${post}cONTENT-lENGTH: 5\r\ntRANSFER-eNCODING: chunked\r\n\r\n${last}${hidden}`,
    ],
    ['two lengths', `${post}Content-Length: 0\r\n${length}\r\n${hidden}`],
    ['the same length twice', `${post}${length}${length}\r\n${hidden}`],
    ['two lengths in one', `${post}Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`],
    ['a length with a sign', `${post}Content-Length: +0\r\n\r\n${hidden}`],
    ['a length below nothing', `${post}Content-Length: -1\r\n\r\n${hidden}`],
    ['a length in hexadecimal', `${post}Content-Length: 0x0\r\n\r\n${hidden}`],
    ['a length with a blank in it', `${post}Content-Length: 0 0\r\n\r\n${hidden}`],
    ['a length beyond all numbers', `${post}Content-Length: 18446744073709551616\r\n\r\n${hidden}`],
    ['no length, but its name', `${post}Content-Length:\r\n\r\n${hidden}`],
    ['a length with a blank before the colon', `${post}Content-Length : 0\r\n\r\n${hidden}`],
    ['chunks that are something else', `${post}Transfer-Encoding: xchunked\r\n\r\n${last}${hidden}`],
    ['chunks, then something else', `${post}Transfer-Encoding: chunked, identity\r\n\r\n${last}${hidden}`],
    [
      'chunks with something else in another line',
      `${post}${chunked}Transfer-Encoding: identity\r\n\r\n${last}${hidden}`,
    ],
    ['chunks in quotes', `${post}Transfer-Encoding: "chunked"\r\n\r\n${last}${hidden}`],
    ['chunks with a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n${last}${hidden}`],
    ['chunks behind a vertical tab', `${post}Transfer-Encoding:\x0bchunked\r\n\r\n${last}${hidden}`],
    ['chunks in a folded line', `${post}X: x\r\n Transfer-Encoding: chunked\r\n\r\n${last}${hidden}`],
    ['a folded length', `${post}Content-Length:\r\n 0\r\n\r\n${hidden}`],
    ['a chunk size in another notation', `${post}${chunked}\r\n0x${hex}\r\n${hidden}\r\n${last}`],
    ['a chunk size with a sign', `${post}${chunked}\r\n+${hex}\r\n${hidden}\r\n${last}`],
    ['a chunk size beyond all numbers', `${post}${chunked}\r\n10000000000000000\r\n${hidden}`],
    ['a chunk size that ends without a return', `${post}${chunked}\r\n${hex}\n${hidden}\r\n${last}`],
    ['an extension with a line feed in it', `${post}${chunked}\r\n0;a\n\r\n${hidden}`],
    ['a chunk that is longer than it says', `${post}${chunked}\r\n1\r\n${hidden}\r\n${last}`],
    ['headers that end without returns', `${post.replaceAll('\r\n', '\n')}\n${hidden}`],
    ['an empty line without a return', `${post}Content-Length: 0\r\n\n${hidden}`],
    ['a return alone as the end of a line', `${post}X: x\rContent-Length: 0\r\n\r\n${hidden}`],
    ['a null in a header', `${post}X: \0\r\nContent-Length: 0\r\n\r\n${hidden}`],
    ['a blank before the first header', `POST ${path} HTTP/1.1\r\n Host: x\r\n${as('nobody')}\r\n${hidden}`],
    ['a space in the path', `GET ${path} /one HTTP/1.1\r\nHost: x\r\n${as('nobody')}\r\n${hidden}`],
    ['a version that is none', `GET ${path} HTTP/1.1 HTTP/1.1\r\nHost: x\r\n${as('nobody')}\r\n${hidden}`],
    ['two hosts', `GET ${path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n${as('nobody')}\r\n${hidden}`],
  ])('%s', async (_what, bytes) => {
    const responses = await responsesTo(api, bytes);
    expect(responses).not.toContain(seen);
    // A request without permission may be rejected before the server detects the invalid body.
    expect(statusesOf(responses).join()).toMatch(/^(400|403)$/);
  });
});

describe('a body is no request', () => {
  const length = `Content-Length: ${hidden.length}\r\n`;
  const next = `GET /api/v1/namespaces/b/configmaps HTTP/1.1\r\nHost: x\r\n${as('reader')}${close}\r\n`;

  it.each<[string, string, number[]]>([
    ['of a refused user', `${post}${length}\r\n${hidden}`, [403, 403]],
    ['of nobody', `${post.replace('Bearer', 'Basic')}${length}\r\n${hidden}`, [401, 403]],
    ['in chunks', `${post}Transfer-Encoding: chunked\r\n\r\n${chunk(hidden)}${last}`, [403, 403]],
    [
      'in chunks with extensions',
      `${post}Transfer-Encoding: chunked\r\n\r\n${hex};a="b";c\r\n${hidden}\r\n${last}`,
      [403, 403],
    ],
    [
      'in chunks with trailers',
      `${post}Transfer-Encoding: chunked\r\n\r\n${chunk(hidden)}0\r\nContent-Length: 0\r\nHost: y\r\n\r\n`,
      [403, 403],
    ],
    [
      'of a request that has none',
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${as('nobody')}${length}\r\n${hidden}`,
      [403, 403],
    ],
    [
      'of a request for the headers only',
      `HEAD ${path} HTTP/1.1\r\nHost: x\r\n${as('nobody')}${length}\r\n${hidden}`,
      [403, 403],
    ],
    ['that makes no sense', `${post.replace('nobody', 'reader')}${length}\r\n${hidden}`, [400, 403]],
    [
      'of a path that is not there',
      `POST /absent HTTP/1.1\r\nHost: x\r\n${as('prober')}${length}\r\n${hidden}`,
      [403, 403],
    ],
    [
      'of a method that is not there',
      `PURGE ${path} HTTP/1.1\r\nHost: x\r\n${as('reader')}${length}\r\n${hidden}`,
      [405, 403],
    ],
    ['that was to be asked for', `${post}Expect: 100-continue\r\n${length}\r\n${hidden}`, [403, 403]],
  ])('%s', async (_what, bytes, expected) => {
    const responses = await responsesTo(api, bytes + next);
    expect(responses).not.toContain(seen);
    // The server may also close the connection after such a request.
    const statuses = statusesOf(responses);
    expect(expected.slice(0, Math.max(1, statuses.length))).toEqual(statuses);
  });

  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: https://x\r\n';
  it.each<[string, string]>([
    ['HTTP/2', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'],
    ['a WebSocket', `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}`],
  ])('after a request to upgrade to %s', async (_what, wish) => {
    const socket = await openSocket(api);
    const said = readUntilClose(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${as('nobody')}${length}${wish}\r\n${hidden}`);
    await once(socket, 'data');
    socket.write(next);
    const responses = await said;
    expect(responses).not.toContain(seen);
    expect(statusesOf(responses).join()).toMatch(/^403(,403)?$/);
  });
});

describe('requests on one connection', () => {
  const get = (target: string, lines: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`;

  it('have each their own credentials', async () => {
    const users = ['reader', 'nobody', 'reader', 'wrong', 'prober', 'reader'];
    const bytes = users.map((who) => get(`${path}/one`, as(who))).join('');
    const responses = await responsesTo(api, bytes + get(`${path}/one`, close));
    expect(statusesOf(responses)).toEqual([200, 403, 200, 401, 403, 200, 401]);
    expect(responses.split(seen)).toHaveLength(4);
  });

  it('have the user of their certificate', async () => {
    const bytes = get(`${path}/one`, as('nobody')) + get('/api/v1/nodes', `${as('wrong')}${close}`);
    const { cert, key } = api.tls;
    expect(statusesOf(await responsesTo(api, bytes, { cert, key }))).toEqual([200, 200]);
  });

  it('may each impersonate another user', async () => {
    const { cert, key } = api.tls;
    const disguises = [
      'Impersonate-User: nobody\r\n',
      '',
      'Impersonate-User: reader\r\n',
      'Impersonate-User: nobody\r\n',
    ];
    const bytes = disguises.map((line) => get(`${path}/one`, line)).join('');
    const responses = await responsesTo(api, bytes + get('/api/v1/nodes', close), { cert, key });
    expect(statusesOf(responses)).toEqual([403, 200, 200, 403, 200]);
  });
});
