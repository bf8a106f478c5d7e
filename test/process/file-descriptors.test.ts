import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** More than a server with one thread needs, and fewer than the connections of the test. */
const limit = 150;
const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--controllers='];

it.skipIf(process.platform === 'win32')('a server that has no file descriptor left says so and goes on', async () => {
  const server = new ServeProcess(['serve', ...flags, '--threads=1', `--data-dir=${await temporaryDirectory()}`], {
    prefix: ['bash', '-c', `ulimit -n ${limit} && exec "$@"`, 'bash'],
  });
  const api = await server.api();
  const port = Number(new URL(api.server.url).port);
  let refused = 0;
  const sockets = new Set<Socket>();
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = (): void => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      refused++;
      sockets.delete(socket);
    });
  };
  // The server closes connections without a handshake after a while. So new ones are opened until it has noticed.
  await vi.waitFor(() => {
    while (sockets.size < 2 * limit) open();
    expect(server.stderr).toContain('no file descriptor is left in this process');
  });
  expect(refused).toBeGreaterThan(0);
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(() => expect(server.stderr).toContain('file descriptors are free again'));
  expect(server.stderr.match(/no file descriptor is left/g)).toHaveLength(1);
  api.disconnect();
  const created = await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'after' } });
  expect(created.status).toBe(200);
});
