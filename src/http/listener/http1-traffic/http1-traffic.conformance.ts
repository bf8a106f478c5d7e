import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Exchange } from '../../exchange.ts';
import type { Listener, ListenerOptions } from '../listener.ts';
import { connectRaw, listen } from '../test-listener.conformance.ts';
import { Http1Client, type Http1Response } from './http1-client.conformance.ts';

/** How a request is written. */
export type Writing = 'at once' | 'head and body' | 'in pieces' | 'in chunks' | 'after a 100';

export interface PlannedRequest {
  readonly id: number;
  readonly body: Buffer;
  readonly writing: Writing;
  /** The length of the response. */
  readonly responseLength: number;
  /** Whether the response is streamed, in chunks. */
  readonly isStreamed: boolean;
}

/** What bodies and responses are cut from. */
const bytes = randomBytes(1 << 20);
const pieceLength = 5_000;

export function bodyOf(length: number, offset = 0): Buffer {
  return bytes.subarray(offset, offset + length);
}

/** A listener that responds with the hash of each body, followed by as many bytes as the request asks for. */
export function listenForTraffic(
  onRequest: (exchange: Exchange) => void = () => {},
  options: Partial<ListenerOptions> = {},
): Promise<Listener> {
  return listen((exchange) => {
    onRequest(exchange);
    void respond(exchange);
  }, options);
}

async function respond(exchange: Exchange): Promise<void> {
  const body = await exchange.readBody(1 << 25).catch(() => undefined);
  // The client has been refused or is gone. It notices itself.
  if (body === undefined) return;
  const query = new URLSearchParams(exchange.query);
  const headers = { 'x-id': query.get('id')!, 'x-hash': createHash('sha256').update(body).digest('hex') };
  const response = responseBody(Number(query.get('length')));
  if (!query.has('streamed')) {
    exchange.respond(200, headers, response);
    return;
  }
  const stream = exchange.respondStream(200, headers);
  for (let at = 0; at < response.length; at += 30_000) {
    if (!stream.write(response.subarray(at, at + 30_000))) await stream.drained();
  }
  stream.end();
}

function responseBody(length: number): Buffer {
  return length <= bytes.length ? bytes.subarray(0, length) : Buffer.alloc(length, bytes);
}

function headOf({ id, body, writing, responseLength, isStreamed }: PlannedRequest): Buffer {
  const framing = writing === 'in chunks' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const expects = writing === 'after a 100' ? 'Expect: 100-continue\r\n' : '';
  const target = `/?id=${id}&length=${responseLength}${isStreamed ? '&streamed' : ''}`;
  return Buffer.from(`POST ${target} HTTP/1.1\r\nHost: x\r\n${framing}\r\n${expects}\r\n`);
}

function piecesOf(body: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += pieceLength) pieces.push(body.subarray(at, at + pieceLength));
  return pieces;
}

/** The writes of a request, which for `after a 100` are followed by those of its body. */
export function writesOf(request: PlannedRequest): Buffer[] {
  const { body, writing } = request;
  const head = headOf(request);
  switch (writing) {
    case 'at once':
      return [Buffer.concat([head, body])];
    case 'head and body':
      return [head, body];
    case 'in pieces':
      return [head, ...piecesOf(body)];
    case 'in chunks':
      return [
        head,
        ...piecesOf(body).map((piece) =>
          Buffer.from(`${piece.length.toString(16)}\r\n${piece.toString('latin1')}\r\n`, 'latin1'),
        ),
        Buffer.from('0\r\n\r\n'),
      ];
    case 'after a 100':
      return [head];
  }
}

/** Connects a client that offers HTTP/1.1 by ALPN, or nothing. */
export async function connectHttp1(listener: Listener, { offers = true, isSlow = false } = {}): Promise<Http1Client> {
  return new Http1Client(await connectRaw(listener, offers ? { ALPNProtocols: ['http/1.1'] } : {}), { isSlow });
}

/**
 * Sends the requests one after the other without waiting for responses, and expects all of them in their order, after
 * those of requests that were sent `before`.
 */
export async function pipeline(
  client: Http1Client,
  requests: readonly PlannedRequest[],
  { before = [] }: { readonly before?: readonly PlannedRequest[] } = {},
): Promise<void> {
  const invited = Promise.withResolvers<void>();
  const write = async (): Promise<void> => {
    for (const request of requests) {
      await client.write(writesOf(request));
      if (request.writing !== 'after a 100') continue;
      await invited.promise;
      await client.write([request.body]);
    }
  };
  const read = async (): Promise<void> => {
    for (const request of [...before, ...requests]) {
      let response = await client.next();
      if (response.status === 100) {
        invited.resolve();
        response = await client.next();
      }
      expectResponse(response, request);
    }
  };
  await Promise.all([write(), read()]);
}

function expectResponse({ status, headers, body }: Http1Response, request: PlannedRequest): void {
  const hash = createHash('sha256').update(request.body).digest('hex');
  const seen = { status, id: headers.get('x-id'), hash: headers.get('x-hash'), length: body.length };
  const expected = { status: 200, id: String(request.id), hash, length: request.responseLength };
  // A comparison by `expect` for each of a million responses would take longer than all else.
  const isExpected =
    status === 200 &&
    seen.id === expected.id &&
    seen.hash === hash &&
    body.equals(responseBody(request.responseLength));
  if (!isExpected) expect({ ...seen, text: body.toString('latin1', 0, 100) }).toEqual(expected);
}
