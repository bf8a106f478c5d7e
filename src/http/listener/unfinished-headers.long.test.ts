import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { headersFrame, opening } from './raw-frames.conformance.ts';
import { connectRaw, listen, received } from './test-listener.conformance.ts';

it.concurrent.each<[string, string | undefined, Buffer]>([
  ['a TLS handshake', undefined, Buffer.alloc(0)],
  ['the first line of HTTP/1.1', 'http/1.1', Buffer.alloc(0)],
  ['the headers of HTTP/1.1', 'http/1.1', Buffer.from('GET / HTTP/1.1\r\nHost')],
  ['the preface of HTTP/2', 'h2', opening.subarray(0, 10)],
  ['the headers of HTTP/2', 'h2', Buffer.concat([opening, headersFrame(1, Buffer.alloc(100)).subarray(0, 20)])],
])('by default, a client has ten seconds for %s', async (_what, protocol, bytes) => {
  const listener = await listen(() => {});
  const begin = performance.now();
  if (protocol === undefined) {
    const socket = connect(listener.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('close', resolve));
  } else {
    const socket = await connectRaw(listener, { ALPNProtocols: [protocol] });
    socket.write(bytes);
    await received(socket);
  }
  expect((performance.now() - begin) / 1000).toBeGreaterThan(9.5);
});
