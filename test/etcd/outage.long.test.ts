import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fetchedEtcds } from '../../scripts/test-clients/etcd.ts';
import { type ApiResponse, TestApi } from '../wire/api.ts';
import { EtcdCluster } from './etcd-cluster.ts';

const program = fetchedEtcds().at(-1);
const maps = '/api/v1/namespaces/default/configmaps';
const outageMs = 60_000;
/** The deadline of a call to etcd plus a margin for a busy machine. */
const responseMs = 20_000;
const clients = 32;

it.skipIf(program === undefined)(
  'a minute without etcd',
  async () => {
    const cluster = await EtcdCluster.start({ program: program! });
    onTestFinished(() => cluster.stop());
    const [member] = cluster.members;
    const api = await TestApi.start({ storage: 'etcd', etcdServers: cluster.endpoints });
    onTestFinished(() => api.stop());
    await api.post(maps, { metadata: { name: 'before' } });
    const watch = await api.watch(`${maps}?watch=true&resourceVersion=0`);
    expect(await watch.next()).toMatchObject({ type: 'ADDED' });

    await member!.pause();
    onTestFinished(() => member!.resume());
    const memory = process.memoryUsage().rss;
    const end = performance.now() + outageMs;
    const acknowledged: string[] = [];
    const responses = new Map<string, number>();
    const measure = async (what: string, call: () => Promise<ApiResponse>): Promise<number> => {
      const start = performance.now();
      const { status, headers } = await call();
      expect(performance.now() - start).toBeLessThan(responseMs);
      if (status >= 500) expect(headers['retry-after']).toBe('1');
      responses.set(`${what} ${status}`, (responses.get(`${what} ${status}`) ?? 0) + 1);
      return status;
    };
    const client = async (index: number): Promise<void> => {
      for (let count = 0; performance.now() < end; count++) {
        const name = `during-${index}-${count}`;
        const written = await measure('write', () => api.post(maps, { metadata: { name } }));
        if (written === 200) acknowledged.push(name);
        await measure('read', () => api.get(`${maps}/before`));
        for (let reads = 0; reads < 10; reads++) {
          expect(await measure('cached', () => api.get(`${maps}/before?resourceVersion=0`))).toBe(200);
          await delay(10);
        }
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
    expect([...responses.keys()].filter((response) => !/^(cached 200|(read|write) 50[34])$/.test(response))).toEqual(
      [],
    );
    expect(process.memoryUsage().rss - memory).toBeLessThan(150 * 1024 * 1024);

    member!.resume();
    await vi.waitFor(async () => expect((await api.post(maps, { metadata: { name: 'after' } })).status).toBe(200));
    acknowledged.push('before', 'after');
    const { body } = await api.get(maps);
    const names = (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    const seen = new Set<string>();
    while (!seen.has('after')) seen.add((await watch.next())!.object.metadata.name);
    watch.close();
  },
  300_000,
);
