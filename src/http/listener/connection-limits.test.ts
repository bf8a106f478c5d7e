import { once } from 'node:events';
import https from 'node:https';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { caCert, listen } from './test-listener.conformance.ts';

it('closes connections of a client that has too many, until others of it end', async () => {
  const { port } = await listen((exchange) => exchange.respond(200, {}, ''), { maxConnectionsPerClient: 2 });
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const status = (): Promise<number | string> =>
    new Promise((resolve) => {
      https
        .get({ host: '127.0.0.1', port, ca: caCert, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode!);
        })
        .on('error', () => resolve('closed'));
    });
  const first = await open();
  await open();
  expect(await status()).toBe('closed');
  expect(await status()).toBe('closed');
  first.destroy();
  // The listener notices the end a moment later.
  await expect.poll(status).toBe(200);
});
