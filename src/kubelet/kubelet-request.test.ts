import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { callKubelet, hostOf } from './kubelet-request.ts';

const kubelet = (port: number, host = '127.0.0.1') => ({ host, port, tls: {}, connectTimeoutMs: 20 });
const request = (signal: AbortSignal) => ({ method: 'POST', path: '/exec', headers: {}, signal });

it('gives up a connection that takes too long', async () => {
  // A server that never starts TLS.
  const silent = createServer((socket) => void socket.on('error', () => {}));
  silent.listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { signal } = new AbortController();
  await expect(callKubelet(kubelet(port), request(signal))).rejects.toThrow(`dial tcp 127.0.0.1:${port}: i/o timeout`);
});

it('gives up when the client does', async () => {
  await expect(callKubelet(kubelet(1), request(AbortSignal.abort()))).rejects.toThrow('aborted');
});

it.each([
  ['127.0.0.1', '127.0.0.1:1'],
  ['n.example', 'n.example:1'],
  ['fd00::1', '[fd00::1]:1'],
])('names the host %s', (host, expected) => {
  expect(hostOf(kubelet(1, host))).toBe(expected);
});
