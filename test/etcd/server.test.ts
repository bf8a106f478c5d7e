import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newestEtcds } from '../../scripts/test-clients/etcd.ts';
import type { ServerOptions } from '../../src/index.ts';
import { openEtcdStorage } from '../../src/storage/etcd/open-etcd-storage.ts';
import { CuttingProxy } from '../clients/cutting-proxy.ts';
import { threadsReady } from '../shared-store/start-tested-server.ts';
import { ThreadedServer } from '../threads/threaded-server.ts';
import { TestApi } from '../wire/api.ts';
import { EtcdCluster } from './etcd-cluster.ts';

const programs = newestEtcds();
const maps = '/api/v1/namespaces/default/configmaps';

describe.skipIf(programs.length === 0).each(programs)('a server on etcd ($suite suite)', (program) => {
  let cluster: EtcdCluster;
  /** A server that no test stops or disturbs. */
  let api: TestApi;
  beforeAll(async () => {
    cluster = await EtcdCluster.start({ program, flags: ['--max-request-bytes=200000'] });
    const options = { storage: 'etcd', etcdServers: cluster.endpoints, eventTtlMs: 1000 } as const;
    api = await TestApi.start(options);
  });
  afterAll(async () => {
    await api.stop();
    await cluster.stop();
  });

  async function start(options: ServerOptions): Promise<TestApi> {
    const started = await TestApi.start({ storage: 'etcd', etcdServers: cluster.endpoints, ...options });
    onTestFinished(() => started.stop());
    return started;
  }

  it('keeps objects below the prefix, across restarts', async () => {
    const first = await start({ etcdPrefix: 'kept/here' });
    const created = await first.post(maps, { metadata: { name: 'a' }, data: { x: 'y' } });
    const [, bytes] = /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-0"\} (\d+)$/m.exec(
      (await first.get('/metrics')).text,
    )!;
    expect(Number(bytes)).toBeGreaterThan(4096);
    await first.stop();
    const raw = await openEtcdStorage({ endpoints: cluster.endpoints, root: '' });
    onTestFinished(() => raw.close());
    expect(await raw.get('/kept/here/configmaps/default/a')).toBeDefined();
    const second = await start({ etcdPrefix: '/kept/here/' });
    expect((await second.get(`${maps}/a`)).body).toEqual(created.body);
  });

  // The progress notifications of the old version are not reliable, so the server does not request them.
  it.skipIf(program.suite === 'own')('counts progress notifications of etcd', async () => {
    await api.get(maps);
    const raw = await openEtcdStorage({ endpoints: cluster.endpoints, root: '' });
    onTestFinished(() => raw.close());
    let written = 0;
    // A consistent read waits for the progress of the watch, which receives no event for a key outside of its prefix.
    await vi.waitFor(async () => {
      await raw.commit({ key: `/elsewhere/${written++}`, expected: 0, value: Buffer.from('x') });
      await api.get(maps);
      expect((await api.get('/metrics')).text).toMatch(/^etcd_bookmark_counts [1-9]/m);
    });
  });

  it('has threads that share etcd as servers do', async () => {
    const connection = { storage: 'etcd', etcdServers: cluster.endpoints, etcdPrefix: '/threads' } as const;
    const threaded = await ThreadedServer.start({ ...connection, threads: 2 });
    onTestFinished(() => threaded.stop());
    const clients = threaded.clients(6);
    const watches = await Promise.all(clients.map((client) => client.watch(`${maps}?watch=true`)));
    const names = clients.map((_, index) => `c${index}`);
    for (const [index, client] of clients.entries()) {
      expect((await client.post(maps, { metadata: { name: names[index] } })).status).toBe(200);
      const read = await Promise.all(clients.map((api) => api.get(`${maps}/${names[index]}`)));
      expect(read.map(({ status }) => status)).toEqual(clients.map(() => 200));
    }
    for (const watch of watches) {
      for (const name of names) expect((await watch.next())!.object.metadata.name).toBe(name);
      watch.close();
    }
    await threaded.workers.get('api-1')!.terminate();
    await vi.waitFor(() => expect(threaded.errors).toHaveLength(1));
    await threadsReady(threaded.server, 2);
    for (const client of threaded.clients(4)) expect((await client.get(maps)).body.items).toHaveLength(names.length);
  });

  it('deletes events after their time', async () => {
    const events = '/api/v1/namespaces/default/events';
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
    const watch = await api.watch(`${events}?watch=true`);
    await api.post(events, { metadata: { name: 'e' }, involvedObject });
    expect([await watch.next(), await watch.next()]).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'e' } } },
      { type: 'DELETED', object: { metadata: { name: 'e' } } },
    ]);
    watch.close();
  });

  it('refuses what is too large for etcd', async () => {
    const map = (bytes: number) => ({ metadata: { generateName: 'a' }, data: { x: 'x'.repeat(bytes) } });
    expect((await api.post(maps, map(100_000))).status).toBe(200);
    const { status, body } = await api.post(maps, map(300_000));
    expect([status, body.reason]).toEqual([413, 'RequestEntityTooLarge']);
  });

  it('is not healthy without etcd, refuses writes, and recovers', async () => {
    const proxy = await CuttingProxy.start(cluster.endpoints[0]!);
    onTestFinished(() => proxy.stop());
    const cut = await start({ etcdPrefix: '/cut', etcdServers: [proxy.url] });
    expect((await cut.get('/readyz')).status).toBe(200);
    const watch = await cut.watch(`${maps}?watch=true`);
    proxy.refuse();
    await vi.waitFor(async () => expect((await cut.get('/readyz')).status).toBe(500));
    const refused = await cut.post(maps, { metadata: { name: 'a' } });
    expect(refused).toMatchObject({ status: 503, body: { reason: 'ServiceUnavailable' } });
    expect(refused.headers['retry-after']).toBe('1');
    const read = await cut.get(maps);
    expect(read).toMatchObject({ status: 503, body: { reason: 'ServiceUnavailable' } });
    expect(read.headers['retry-after']).toBe('1');
    expect((await cut.get(`${maps}?resourceVersion=0`)).status).toBe(200);
    proxy.accept();
    await vi.waitFor(async () => expect((await cut.post(maps, { metadata: { name: 'b' } })).status).toBe(200));
    await vi.waitFor(async () => expect((await cut.get('/readyz')).status).toBe(200));
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    watch.close();
  });
});
