import { parentPort, workerData } from 'node:worker_threads';
import { connectStorage, type ThreadConnection } from './shared-store.ts';

// A thread that increments a number in the store by compare and swap, and reports what it reads.

interface Counting {
  readonly connection: ThreadConnection;
  readonly key: string;
  readonly times: number;
  /** Set at the end. */
  readonly flag?: Int32Array;
}

const { connection, key, times, flag } = workerData as Counting;
const storage = connectStorage(connection);
const seen: string[] = [];
await storage.watch({
  prefix: key,
  after: 0,
  onEvents: (events) => {
    for (const { revision, value, previous } of events) seen.push(`${revision} ${previous?.value ?? ''}>${value}`);
  },
  onError: () => {},
  signal: new AbortController().signal,
});
for (let done = 0; done < times; ) {
  const current = await storage.get(key);
  const value = Buffer.from(String(Number(current?.value ?? 0) + 1));
  const { committed } = await storage.commit({ key, expected: current?.modRevision ?? 0, value });
  if (committed) done += 1;
}
parentPort!.once('message', async () => {
  storage.latestRevision();
  parentPort!.postMessage(seen);
  await storage.close();
});
if (flag !== undefined) {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}
parentPort!.postMessage('done');
