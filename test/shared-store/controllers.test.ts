import { expect, it, onTestFinished, vi } from 'vitest';
import { untilAborted } from '../../src/client/index.ts';
import { runControllers } from '../../src/controllers/index.ts';
import { type SharedServer, SharedStore, shortLeases } from './shared-store.ts';

/** Runs a controller that logs its start and end, as a candidate on each of the servers. */
function runOn(servers: readonly SharedServer[]): { log: string[] } {
  const log: string[] = [];
  for (const [index, { client }] of servers.entries()) {
    const end = new AbortController();
    const controllers = [
      {
        name: 'told',
        run: async (_tools: unknown, signal: AbortSignal) => {
          log.push(`${index} begins`);
          await untilAborted(signal);
          log.push(`${index} ends`);
        },
      },
    ];
    const election = { timings: shortLeases.election! };
    const options = { client, controllers, identity: `server-${index}`, version: '1', report: () => {}, election };
    const done = runControllers(options, end.signal);
    onTestFinished(async () => {
      end.abort();
      await done;
    });
  }
  return { log };
}

/** Expects that no two of them ran at the same time. */
function expectOneAtATime(log: readonly string[]): void {
  for (const [index, entry] of log.entries()) {
    if (index % 2 === 1) expect(entry).toBe(log[index - 1]!.replace('begins', 'ends'));
    else expect(entry).toMatch(/begins$/);
  }
}

it('runs controllers on another server after the holder was cut off, and never on two', async () => {
  const store = SharedStore.inMemory();
  const servers = await store.startAll(3, () => ({ timings: shortLeases }));
  const { log } = runOn(servers);
  const dead = new Set<number>();
  for (let round = 1; round <= 2; round++) {
    const holder = await vi.waitFor(() => {
      const [index, verb] = log.at(-1)?.split(' ') ?? [];
      expect(verb).toBe('begins');
      expect(dead).not.toContain(Number(index));
      return Number(index);
    });
    servers[holder]!.cutOff();
    dead.add(holder);
    await vi.waitFor(() => expect(log).toContain(`${holder} ends`));
  }
  await vi.waitFor(() => {
    const [index, verb] = log.at(-1)!.split(' ');
    expect(verb).toBe('begins');
    expect(dead).not.toContain(Number(index));
  });
  expectOneAtATime(log);
});

it('ends the work of a holder whose store does not answer before another begins', async () => {
  const store = SharedStore.inMemory();
  const servers = await store.startAll(2, () => ({ timings: shortLeases }));
  const { log } = runOn(servers);
  const first = await vi.waitFor(() => {
    expect(log).toHaveLength(1);
    return Number(log[0]!.split(' ')[0]);
  });
  const resume = servers[first]!.stall();
  await vi.waitFor(() => expect(log).toEqual([`${first} begins`, `${first} ends`, `${1 - first} begins`]));
  resume();
  await servers[1 - first]!.stop();
  await vi.waitFor(() => expect(log.at(-1)).toBe(`${first} begins`));
  expectOneAtATime(log);
});

it('runs the controllers of one server, and of the next when it stops', async () => {
  const store = SharedStore.inMemory();
  const servers = await store.startAll(3, () => ({ controllers: ['*'] }));
  for (const [index, server] of servers.entries()) {
    const namespace = `/api/v1/namespaces/n${index}`;
    const { api } = servers.at(-1)!;
    await api.post('/api/v1/namespaces', { metadata: { name: `n${index}` } });
    await api.delete(namespace);
    await vi.waitFor(async () => expect((await api.get(namespace)).status).toBe(404));
    const { items } = (await api.get('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases')).body;
    expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toContain('keelson-controllers');
    if (index < servers.length - 1) await server.stop();
  }
});
