import { expect, test } from 'vitest';
import { Recorder } from '../conformance/fixture.conformance.ts';
import type { StorageError } from '../storage.ts';
import { WatcherSet } from '../watcher-set.ts';
import { EmbeddedStorage } from './embedded-storage.ts';
import { storeThread } from './store-thread.ts';
import { WorkerConnection } from './worker-connection.ts';

const deaths = [
  { name: 'ends', script: 'process.exit(3)', cause: 'exit code 3' },
  { name: 'throws', script: 'throw new Error("broken")', cause: 'broken' },
];

test.each(deaths)('a worker that $name fails pending and later requests', async ({ script, cause }) => {
  const reported: StorageError[] = [];
  const connection = connect(
    `process.getBuiltinModule('worker_threads').parentPort.on('message', () => { ${script} })`,
    reported,
  );
  const waiting = await Promise.allSettled([
    connection.call('probe', { writes: false }),
    connection.call('sweep', undefined),
  ]);
  for (const outcome of waiting)
    expect(outcome).toMatchObject({ reason: { code: 'Unavailable', cause: { message: cause } } });
  await expect(connection.call('probe', { writes: false })).rejects.toMatchObject({ code: 'Unavailable' });
  expect(reported).toHaveLength(1);
  await connection.close();
  expect(reported).toHaveLength(1);
});

test('the death of the worker ends watches and commits of the store, which can still be closed', async () => {
  const watchers = new WatcherSet();
  const connection = connect(
    `process.getBuiltinModule('worker_threads').parentPort.on('message', () => process.exit(1))`,
    [],
    watchers,
  );
  const state = { revision: 0, compacted: 0, sweepPending: false };
  const storage = new EmbeddedStorage({ connection, watchers, state, valueLimit: 100 });
  const recorder = await new Recorder().watch(storage, { prefix: '/', after: 0 });
  const commits = ['/a', '/b'].map((key) => storage.commit({ key, expected: 0, value: Buffer.from('x') }));
  for (const outcome of await Promise.allSettled(commits))
    expect(outcome).toMatchObject({ reason: { code: 'Unavailable' } });
  expect(recorder.errors).toMatchObject([{ code: 'Unavailable' }]);
  await expect(storage.get('/a')).rejects.toMatchObject({ code: 'Unavailable' });
  await expect(storage.probe(new AbortController().signal)).rejects.toMatchObject({ code: 'Unavailable' });
  await storage.close();
  await expect(storage.get('/a')).rejects.toMatchObject({ code: 'Closed' });
});

test('other requests do not wait for many reads', async () => {
  const connection = connect(
    `const { parentPort } = process.getBuiltinModule('worker_threads');
     const seen = [];
     parentPort.on('message', ({ id, operation }) => {
       seen.push(operation);
       parentPort.postMessage({ id, reply: [...seen] });
       if (operation === 'close') parentPort.close();
     });`,
    [],
  );
  const replay = { after: 0, prefix: '/' };
  const reads = Array.from({ length: 10 }, () => connection.call('replay', replay));
  const seenByProbe: unknown = await connection.call('probe', { writes: false });
  expect(seenByProbe).toEqual(['replay', 'replay', 'probe']);
  const seenByLast: unknown = (await Promise.all(reads)).at(-1);
  expect(seenByLast).toHaveLength(11);
  const refused = Array.from({ length: 3 }, () => connection.call('replay', replay));
  const outcomes = Promise.allSettled(refused);
  await connection.close();
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'Closed' } },
  ]);
});

test('a probe of a worker that does not answer ends when its signal aborts', async () => {
  const watchers = new WatcherSet();
  const connection = connect(
    `process.getBuiltinModule('worker_threads').parentPort.once('message', () => {})`,
    [],
    watchers,
  );
  const state = { revision: 0, compacted: 0, sweepPending: false };
  const storage = new EmbeddedStorage({ connection, watchers, state, valueLimit: 100 });
  const controller = new AbortController();
  const probing = storage.probe(controller.signal);
  const reason = new Error('too slow');
  controller.abort(reason);
  await expect(probing).rejects.toBe(reason);
});

function connect(script: string, reported: StorageError[], watchers?: WatcherSet): WorkerConnection {
  const thread = storeThread(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  return new WorkerConnection(thread, (error) => {
    reported.push(error);
    watchers?.fail(error);
  });
}
