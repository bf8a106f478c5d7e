/**
 * A process with test servers. Prints as JSON how long they take to start, fork, restore and stop, in milliseconds, and
 * the resident memory of fifty servers.
 */
import { join } from 'node:path';
import type * as Testing from '../src/testing/index.ts';

const dist = join(import.meta.dirname, '..', 'dist', 'testing.js');
const { startTestServer } = (await import(dist)) as typeof Testing;
const [objects = 10_000, rounds = 5, many = 50] = process.argv.slice(2).map(Number);

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const batch = 500;

const timed = async <T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> => {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
};

const times: Record<'start' | 'fork' | 'restore' | 'stop', number[]> = { start: [], fork: [], restore: [], stop: [] };
const parent = await startTestServer();
const client = parent.client.resource(configMaps, 'default');
for (let first = 0; first < objects; first += batch) {
  const names = Array.from({ length: Math.min(batch, objects - first) }, (_, index) => `object-${first + index}`);
  await Promise.all(names.map((name) => client.create({ metadata: { name }, data: { text: 'x'.repeat(200) } })));
}
await parent.untilQuiet();
for (let round = 0; round < rounds; round++) {
  const started = await timed(() => startTestServer());
  times.start.push(started.ms);
  await started.result.untilQuiet();
  times.stop.push((await timed(() => started.result.stop())).ms);
  const forked = await timed(() => parent.fork());
  times.fork.push(forked.ms);
  await forked.result.untilQuiet();
  await forked.result.stop();
  const snapshot = await parent.snapshot();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => client.patch(`object-${index}`, { data: { round: `${round}` } })),
  );
  times.restore.push((await timed(() => parent.restore(snapshot))).ms);
}
await parent.stop();

const servers: Testing.TestServer[] = [];
for (let count = 0; count < many; count++) servers.push(await startTestServer());
for (const server of servers) await server.untilQuiet();
const megabytes = process.memoryUsage().rss / 1e6;
await Promise.all(servers.map((server) => server.stop()));
console.log(JSON.stringify({ times, megabytes }));
