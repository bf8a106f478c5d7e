import { once } from 'node:events';
import { connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Field,
  fieldBlock,
  frame,
  framesOf,
  frameTypes,
  opening,
  resetFrame,
} from '../../src/http/listener/raw-frames.conformance.ts';
import type { TestApi } from './api.ts';
import { sendStream } from './raw-http2.ts';
import { openSocket } from './raw-socket.ts';
import { type TwoNamespaces, twoNamespaces } from './two-namespaces.ts';

const streams = 10;
const path = '/api/v1/namespaces/a/configmaps';
const seen = 'by the reader';
/**
 * The body of the response without a WebSocket. Its status is an error, because clients would mistake any success for a
 * WebSocket.
 */
const noWebSocket = 'there is no WebSocket at this path';

let town: TwoNamespaces;
let api: TestApi;
beforeAll(async () => {
  town = await twoNamespaces({ http2MaxStreamsPerConnection: streams });
  api = town.api;
});
afterAll(() => town.stop());

const head = (changes: Record<string, string> = {}): Field[] =>
  Object.entries({ ':method': 'GET', ':scheme': 'https', ':authority': 'x', ':path': path, ...changes });
const as = (who: string): Field => ['authorization', `Bearer ${who}`];
const without = (name: string): Field[] => head().filter(([field]) => field !== name);

describe('a request', () => {
  it('as usual is answered', async () => {
    expect((await sendStream(api, { fields: [...head(), as('reader')] })).text).toContain(seen);
    expect((await sendStream(api, { fields: [...head(), as('nobody')] })).text).toContain('"code":403');
  });

  const json: Field = ['content-type', 'application/json'];
  const post = [...head({ ':method': 'POST' }), json, as('reader')];
  const planted = '{"metadata":{"name":"planted"}}';
  it.each<[string, Parameters<typeof sendStream>[1]]>([
    ['with two paths', { fields: [...head({ ':path': '/healthz' }), [':path', path], as('reader')] }],
    ['with two methods', { fields: [...head(), [':method', 'DELETE'], as('reader')] }],
    ['with two authorities', { fields: [...head(), [':authority', 'y'], as('reader')] }],
    ['without a path', { fields: [...without(':path'), as('reader')] }],
    ['with an empty path', { fields: [...head({ ':path': '' }), as('reader')] }],
    ['without a method', { fields: [...without(':method'), as('reader')] }],
    ['without a scheme', { fields: [...without(':scheme'), as('reader')] }],
    ['with its path behind the headers', { fields: [...without(':path'), as('reader'), [':path', path]] }],
    ['with a field of answers', { fields: [...head(), [':status', '200'], as('reader')] }],
    ['with a field that nobody knows', { fields: [...head(), [':user', 'reader'], as('reader')] }],
    ['with capitals', { fields: [...head(), ['Authorization', 'Bearer reader']] }],
    ['with a line break in a value', { fields: [...head(), as('nobody'), ['x', 'x\r\nauthorization: Bearer reader']] }],
    ['with a line feed in a value', { fields: [...head(), ['x', 'x\nauthorization: Bearer reader']] }],
    ['with a null in a value', { fields: [...head(), ['authorization', 'Bearer reader\0']] }],
    [
      'with a line break in its path',
      { fields: [...head({ ':path': `/x HTTP/1.1\r\nAuthorization: Bearer reader` })] },
    ],
    ['with a blank in its path', { fields: [...head({ ':path': `${path} HTTP/1.1` }), as('reader')] }],
    [
      'with a line break in its method',
      { fields: [...head({ ':method': `GET ${path} HTTP/1.1\r\nx: ` }), as('reader')] },
    ],
    ['with a blank in a name', { fields: [...head(), ['x authorization', 'Bearer reader']] }],
    ['with a colon in a name', { fields: [...head(), ['authorization: bearer', 'reader']] }],
    ['with a connection', { fields: [...head(), ['connection', 'close'], as('reader')] }],
    ['with an upgrade', { fields: [...head(), ['upgrade', 'h2c'], as('reader')] }],
    ['with chunks', { fields: [...post, ['transfer-encoding', 'chunked']], body: planted }],
    ['with chunks in a body', { fields: [...post, ['transfer-encoding', 'chunked']], body: `0\r\n\r\n${planted}` }],
    ['with another te', { fields: [...head(), ['te', 'chunked'], as('reader')] }],
    ['with more than its length', { fields: [...post, ['content-length', '2']], body: planted }],
    ['with less than its length', { fields: [...post, ['content-length', '200']], body: planted }],
    ['with two lengths', { fields: [...post, ['content-length', '31'], ['content-length', '2']], body: planted }],
    ['with a length that is none', { fields: [...post, ['content-length', '+31']], body: planted }],
    ['with a path behind its body', { fields: post, body: planted, trailers: [[':path', '/healthz']] }],
    ['for a tunnel', { fields: [[':method', 'CONNECT'], [':authority', 'x'], as('reader')] }],
    ['for a WebSocket', { fields: [...head({ ':method': 'CONNECT' }), [':protocol', 'websocket'], as('reader')] }],
  ])('%s is refused', async (_what, sent) => {
    const { end, text } = await sendStream(api, sent);
    expect(text).not.toContain(seen);
    // Requests are rejected before authentication, or by a handler that knows that they are impossible.
    if (end === 'answer' && text !== noWebSocket) expect(JSON.parse(text).code).toBeGreaterThanOrEqual(400);
    expect((await api.get(`${path}/planted`)).status).toBe(404);
  });

  it('is authenticated by its headers, not by its trailers', async () => {
    const fields = [...head({ ':method': 'POST' }), json, as('nobody')];
    const { end, text } = await sendStream(api, { fields, body: planted, trailers: [as('reader')] });
    if (end === 'answer') expect(text).toContain('"code":403');
    expect((await api.get(`${path}/planted`)).status).toBe(404);
  });

  it.each([
    ['another host', ['host', 'y']],
    ['the same host', ['host', 'x']],
  ] as [string, Field][])('is for the same user if it has %s', async (_what, host) => {
    const { end, text } = await sendStream(api, { fields: [...head(), host, as('nobody')] });
    if (end === 'answer') expect(text).toContain('"code":403');
  });
});

describe('too much', () => {
  const open = async (): Promise<TLSSocket> => {
    const socket = await openSocket(api, { ALPNProtocols: ['h2'] });
    socket.write(opening);
    return socket;
  };
  /** Expects that other clients are served during the attack. */
  const othersAreServed = async (): Promise<void> => {
    expect((await api.get('/readyz')).status).toBe(200);
    const session = connect(api.server.url, { ...api.tls });
    onTestFinished(() => session.destroy());
    const [headers] = await once(session.request({ ':path': '/readyz' }), 'response');
    expect(headers[':status']).toBe(200);
  };
  const requestFrame = (id: number, target: string): Buffer =>
    frame(frameTypes.headers, fieldBlock([...head({ ':path': target }), as('reader')]), { id, flags: 5 });

  it('at a time: streams beyond the limit are refused, the others are served', async () => {
    const socket = await open();
    const ids = Array.from({ length: streams + 5 }, (_, index) => 2 * index + 1);
    socket.write(Buffer.concat(ids.map((id) => requestFrame(id, `${path}?watch=1`))));
    const [begun, refused] = [new Set<number>(), new Set<number>()];
    for await (const { type, id } of framesOf(socket)) {
      if (type === frameTypes.headers) begun.add(id);
      if (type === frameTypes.reset) refused.add(id);
      if (type === frameTypes.goAway || begun.size + refused.size === ids.length) break;
    }
    expect([...begun].sort((a, b) => a - b)).toEqual(ids.slice(0, streams));
    await othersAreServed();
  });

  it.each<[string, (round: number) => Buffer]>([
    [
      'streams that are reset at once',
      (round) => Buffer.concat([requestFrame(2 * round + 1, path), resetFrame(2 * round + 1, 8)]),
    ],
    [
      'headers without an end',
      (round) =>
        round === 0
          ? frame(frameTypes.headers, fieldBlock(head()), { id: 1, flags: 1 })
          : frame(frameTypes.continuation, fieldBlock([[`x-${round}`, 'y'.repeat(10_000)]]), { id: 1 }),
    ],
    [
      'empty headers without an end',
      (round) =>
        frame(round === 0 ? frameTypes.headers : frameTypes.continuation, Buffer.alloc(0), { id: 1, flags: 0 }),
    ],
  ])('one after the other: the connection is closed after so many %s', async (_what, bytes) => {
    const socket = await open();
    const closed = (async (): Promise<boolean> => {
      for await (const { type, payload } of framesOf(socket)) {
        if (type === frameTypes.goAway) return payload.readUInt32BE(4) !== 0;
      }
      return true;
    })();
    let isOpen = true;
    void closed.then(() => {
      isOpen = false;
    });
    for (let round = 0; isOpen && round < 200_000; round++) {
      if (!socket.write(bytes(round))) await Promise.race([once(socket, 'drain'), closed]);
      if (round % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await closed).toBe(true);
    await othersAreServed();
  });
});
