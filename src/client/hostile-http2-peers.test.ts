import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { frame, http2Peers, ok, say, startHttp2Peer, words } from './hostile-http2-peer.conformance.ts';
import { HttpTarget } from './http-target.ts';

async function start(peer: Parameters<typeof startHttp2Peer>[0]) {
  const { authority, server, ...counts } = await startHttp2Peer(peer);
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url, ca: authority.cert, ...counts };
}

it.each(http2Peers)('a call settles and leaves no connection to a server that $name', async ({ peer, greeting }) => {
  const { url, ca, open } = await start({ peer, greeting });
  const target = new HttpTarget({ url, ca });
  const call = target.post({ text: '{}', headers: {}, maxResponseBytes: 10_000, timeoutMs: 200 });
  const result = await call.catch((error: Error) => error);
  if (result instanceof Error) expect(result.message).not.toBe('');
  // Only one of them has sent a response, which is too long.
  else expect(result.body).toBeUndefined();
  target.close();
  await vi.waitFor(() => expect(open()).toBe(0));
});

it('a call that was not processed before the server left is repeated on another connection', async () => {
  let count = 0;
  const leave = say(frame(7, 0, 0, words(0, 0)));
  const answer = say(ok, frame(0, 1, 1, Buffer.from('{}')));
  const { url, ca, opened } = await start({ peer: (socket) => (++count === 1 ? leave(socket) : answer(socket)) });
  const target = new HttpTarget({ url, ca });
  onTestFinished(() => target.close());
  const call = { text: '{}', headers: {}, maxResponseBytes: 10_000, timeoutMs: 30_000 };
  expect(await target.post(call)).toMatchObject({ status: 200, body: Buffer.from('{}') });
  expect(opened()).toBe(2);
});
