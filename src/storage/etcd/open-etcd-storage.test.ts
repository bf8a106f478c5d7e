import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openEtcdStorage } from './open-etcd-storage.ts';

/** Opens a port that accepts connections and does not answer. Returns it open, or closed again. */
async function portOf({ isOpen }: { readonly isOpen: boolean }): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  if (isOpen) onTestFinished(() => void close());
  else await close();
  return port;
}

it.each([
  ['refuses connections', false, 'ECONNREFUSED'],
  ['accepts connections and does not answer', true, 'no answer yet'],
])('a start that waits for an etcd that %s says so, with the endpoint and the cause', async (_what, isOpen, cause) => {
  const endpoint = `http://127.0.0.1:${await portOf({ isOpen })}`;
  const messages: string[] = [];
  const opening = openEtcdStorage({ endpoints: [endpoint], connectMs: 1000, log: (message) => messages.push(message) });
  await expect(opening).rejects.toMatchObject({ code: 'Unavailable' });
  expect(messages[0]).toContain(`waiting for etcd at ${endpoint}: `);
  expect(messages[0]).toContain(cause);
});
