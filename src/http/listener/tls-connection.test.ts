import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import {
  connectHttp2,
  connectRaw,
  deferred,
  listen,
  received,
  sendInSession,
  strangeClient,
  type TestPair,
  trustedClient,
} from './test-listener.conformance.ts';

const plain = { 'content-type': 'text/plain' };

describe('the connection', () => {
  const cases: [string, TestPair | undefined, { subject: string | undefined; trusted: boolean }][] = [
    ['a trusted certificate', trustedClient, { subject: 'CN=jane', trusted: true }],
    ['a certificate of a strange CA', strangeClient, { subject: 'CN=mallory', trusted: false }],
    ['no certificate', undefined, { subject: undefined, trusted: false }],
  ];

  it.each(cases)('is one object for all its streams and knows the client: %s', async (_name, client, expected) => {
    const exchanges: Exchange[] = [];
    const listener = await listen((exchange) => {
      exchanges.push(exchange);
      exchange.respond(200, plain, 'ok');
    });
    const session = connectHttp2(listener, { ...client });
    await sendInSession(session);
    await sendInSession(session);
    const [first, second] = exchanges;
    expect(first!.connection).toBe(second!.connection);
    expect(first!.connection).toMatchObject({ remoteAddress: '127.0.0.1', secure: true });
    expect(first!.connection.clientCertificate?.subject).toBe(expected.subject);
    expect(first!.connection.clientCertificateTrusted).toBe(expected.trusted);
  });

  it.each<[string, TestPair | undefined, boolean]>([
    ['without a certificate', undefined, false],
    ['with one', trustedClient, true],
  ])('is no continuation of another one, %s', async (_name, client, expected) => {
    const seen: boolean[] = [];
    const listener = await listen((exchange) => {
      seen.push(exchange.connection.clientCertificateTrusted);
      exchange.respond(200, plain, 'ok');
    });
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const first = await connectRaw(listener, { ...client, maxVersion });
      let session: Buffer | undefined = first.getSession();
      first.on('session', (ticket: Buffer) => {
        session = ticket;
      });
      first.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await received(first);
      const second = await connectRaw(listener, { ...client, maxVersion, ...(session && { session }) });
      expect(second.isSessionReused()).toBe(false);
      second.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect(await received(second)).toContain('200 OK');
    }
    expect(seen).toEqual([expected, expected, expected, expected]);
  });

  it('requests no certificate without a CA', async () => {
    const seen = deferred<Exchange>();
    const listener = await listen(
      (exchange) => {
        seen.resolve(exchange);
        exchange.respond(200, plain, 'ok');
      },
      { clientCa: undefined },
    );
    await sendInSession(connectHttp2(listener, { ...trustedClient }));
    const { connection } = await seen.promise;
    expect(connection.clientCertificate).toBeUndefined();
    expect(connection.clientCertificateTrusted).toBe(false);
  });
});
