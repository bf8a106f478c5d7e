import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { startServerOn } from '../../src/server/start-server.ts';
import { connectStorage, SharedStore, type ThreadConnection } from '../../src/storage/embedded/shared-store.ts';
import type { Endpoint } from '../exactness/connection.ts';
import { seeds, timeLimit } from '../exactness/seeds.ts';
import { startTestedServer } from '../exactness/tested-server.ts';
import { Violation } from '../exactness/violation.ts';
import { ThreadedServer } from '../threads/threaded-server.ts';
import { runHistory } from './run-history.ts';
import { alwaysAvailable } from './servers-under-test.ts';

it(
  'the history of several threads is linearizable, also while threads end',
  async () => {
    for (const seed of seeds(1)) {
      const threaded = await ThreadedServer.start({ threads: 3 });
      onTestFinished(() => threaded.stop());
      // Each client has its own connection. The operating system assigns it to any of the threads.
      const endpoints = threaded.clients(4);
      const subject = {
        mayRestart: true,
        versionsExpire: false,
        available: async () => {},
        endpoints,
        starts: () => 1,
      };
      const counts = await runHistory({
        seed,
        subject,
        workers: 8,
        operations: 30,
        informers: 4,
        during: async (progress) => {
          for (const name of ['api-1', 'api-2']) {
            await progress.pass(30);
            await threaded.workers.get(name)?.terminate();
          }
        },
      });
      expect(counts.changes).toBeGreaterThan(30);
      expect(counts.cachedReads).toBeGreaterThan(5);
    }
  },
  timeLimit,
);

it('the checks find threads that do not wait for the commits of others', async () => {
  const store = await SharedStore.open({ directory: undefined });
  const start = async (): Promise<Endpoint> => {
    const connection = late(await store.connect());
    const { api } = await startTestedServer(
      {},
      { start: (options) => startServerOn(async () => connectStorage(connection), options) },
    );
    return api;
  };
  onTestFinished(() => store.close());
  const endpoints = [await start(), await start()];
  const subject = { ...alwaysAvailable, endpoints };
  const history = runHistory({ seed: 1, subject, workers: 4, operations: 60, informers: 4 });
  const expected = { message: expect.stringContaining('seed 1'), cause: expect.any(Violation) };
  await expect(history).rejects.toMatchObject(expected);
});

/** Delays notifications of commits by other threads until the thread itself uses the store, or for a second. */
function late(connection: ThreadConnection): ThreadConnection {
  const { port1, port2 } = new MessageChannel();
  const held: unknown[] = [];
  const notify = (): void => {
    for (const message of held.splice(0)) port2.postMessage(message);
  };
  connection.port.on('message', (message) => {
    held.push(message);
    if ('published' in message) setTimeout(notify, 1000).unref();
    else notify();
  });
  port2.on('message', (message) => connection.port.postMessage(message));
  port2.on('close', () => connection.port.close());
  return { ...connection, port: port1 };
}
