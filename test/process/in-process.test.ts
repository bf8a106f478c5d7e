import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError, type Server, type ServerOptions, StorageError, startServer } from '../../src/index.ts';
import { TestApi } from '../wire/api.ts';
import { expectHandles, threads, timersLeftBy } from './leftovers.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };

/** Faster options for tests that do not need controllers. */
const idle: ServerOptions = { controllers: [] };

async function started(options: ServerOptions = {}): Promise<Server> {
  const server = await startServer({ storage: 'memory', ...options });
  onTestFinished(() => server.stop());
  return server;
}

describe('many servers in one process', () => {
  it('have nothing in common and leave nothing behind', async () => {
    const servers = await Promise.all(Array.from({ length: 3 }, () => started()));
    expect(new Set(servers.map(({ url }) => url)).size).toBe(servers.length);

    const apis = servers.map((server) => new TestApi(server));
    await Promise.all(
      apis.map(async (api, index) => {
        const path = '/api/v1/namespaces/default/configmaps';
        // The servers also create config maps of their own.
        const mine = 'labelSelector=mine';
        await api.post(path, { metadata: { name: `of-${index}`, labels: { mine: 'yes' } } });
        const { body } = await api.get(`${path}?${mine}`);
        expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
          `of-${index}`,
        ]);
        // The watch is still open when the server stops.
        const watch = await api.watch(`${path}?watch=1&${mine}`);
        expect(await watch.take(1)).toEqual([`ADDED of-${index}`]);
      }),
    );
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(apis.map((api) => api.stop()));
    await expectHandles();
    expect(await readdir('.')).toEqual([]);
    for (const { kubeconfigFile, dataDir } of servers) {
      expect({ kubeconfigFile, dataDir }).toEqual({ kubeconfigFile: undefined, dataDir: undefined });
    }
  });

  it('do not accept the credentials of another', async () => {
    const [one, other] = await Promise.all([started(idle), started(idle)]);
    const stranger = new TestApi({ ...one, kubeconfig: other.kubeconfig });
    onTestFinished(() => stranger.stop());
    await expect(stranger.get('/api')).rejects.toThrow(/certificate/);
  });
});

describe('stop', () => {
  it('clears every timer, whether it would keep the process alive or not', async () => {
    const dataDir = await temporaryDirectory();
    const left = await timersLeftBy(async () => {
      const server = await startServer({ storage: 'embedded', dataDir, compactionRetentionMs: 1000 });
      const api = new TestApi(server);
      const watch = await api.watch('/api/v1/namespaces?watch=1&allowWatchBookmarks=true&timeoutSeconds=600');
      expect(await watch.take(4)).toHaveLength(4);
      await api.post('/api/v1/namespaces', { metadata: { name: 'short-lived' } });
      await api.delete('/api/v1/namespaces/short-lived');
      await api.get('/readyz?verbose');
      await server.stop();
      await api.stop();
    });
    expect(left).toEqual([]);
  });

  it('may be called again, also while it is under way', async () => {
    const server = await started();
    await Promise.all([server.stop(), server.stop()]);
    await expect(server.stop()).resolves.toBeUndefined();
    await expect(new TestApi(server).get('/readyz')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('ends the watches of the client in the process', async () => {
    const server = await started(idle);
    const events = server.client.resource(namespaces).watch({}, new AbortController().signal);
    const first = await events.next();
    expect(first.value).toMatchObject({ type: 'ADDED' });
    const rest = (async () => {
      for await (const _ of events);
    })();
    await server.stop();
    await rest;
    await expect(server.client.resource(namespaces).list()).rejects.toMatchObject({ code: 503 });
  });
});

describe('the client', () => {
  let server: Server;
  let client: Server['client'];
  beforeAll(async () => {
    server = await startServer({ ...idle, storage: 'memory' });
    ({ client } = server);
  });
  afterAll(() => server.stop());

  it('has every verb', async () => {
    const items = client.resource<{
      metadata: { name: string; resourceVersion?: string };
      data?: Record<string, string>;
    }>(configMaps, 'default');
    const changes = new AbortController();
    const watch = items.watch({}, changes.signal);
    const seen = (async () => {
      const types: string[] = [];
      for await (const { type } of watch) {
        types.push(type);
        if (type === 'DELETED') changes.abort();
      }
      return types;
    })();

    const made = await items.create({ metadata: { name: 'x' }, data: { a: '1' } });
    expect(await items.get('x')).toEqual(made);
    expect((await items.list()).items).toHaveLength(1);
    const updated = await items.update({ ...made, data: { a: '2' } });
    expect(updated.data).toEqual({ a: '2' });
    const patched = await items.patch('x', { data: { b: '3' } });
    expect(patched.data).toEqual({ a: '2', b: '3' });
    await expect(items.update({ ...made, data: {} })).rejects.toMatchObject({
      code: 409,
      status: { reason: 'Conflict' },
    });
    expect(await items.delete('x')).toMatchObject({ status: 'Success' });
    const absent = items.get('x');
    await expect(absent).rejects.toThrow(ApiError);
    await expect(absent).rejects.toThrow('configmaps "x" not found');
    expect(await seen).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
  });

  it('sees what clients of the network write, and they see what it writes', async () => {
    const api = new TestApi(server);
    onTestFinished(() => api.disconnect());
    const own = await client.resource(configMaps, 'default').create({ metadata: { name: 'own' } });
    expect((await api.get('/api/v1/namespaces/default/configmaps/own')).body).toEqual(own);
    const theirs = (await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'theirs' } })).body;
    expect(await client.resource(configMaps, 'default').get('theirs')).toEqual(theirs);
  });

  it('finds what a fresh server has', async () => {
    const { items } = await client.resource(namespaces).list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    const services = { group: '', version: 'v1', resource: 'services' };
    expect(await client.resource(services, 'default').get('kubernetes')).toMatchObject({
      spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] },
    });
  });
});

describe('embedded storage', () => {
  it('can be opened again where it was closed, and not before', async () => {
    const dataDir = await temporaryDirectory();
    // The first server starts threads that remain in the process.
    await (await startServer({ ...idle, storage: 'embedded', dataDir })).stop();
    const before = await threads();
    const first = await started({ storage: 'embedded', dataDir });
    const made = await first.client.resource(configMaps, 'default').create({ metadata: { name: 'kept' } });
    const error: unknown = await startServer({ storage: 'embedded', dataDir }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ code: 'InUse', message: expect.stringContaining(dataDir) });
    await first.stop();
    await expectHandles();
    expect(await threads()).toBe(before);

    const second = await started({ storage: 'embedded', dataDir });
    expect(await second.client.resource(configMaps, 'default').get('kept')).toEqual(made);
    await second.stop();
    await expectHandles();
    expect(await threads()).toBe(before);
  });

  it('lets the next server finish what this one has begun', async () => {
    const dataDir = await temporaryDirectory();
    const first = await started({ storage: 'embedded', dataDir });
    await first.client.resource(namespaces).create({ metadata: { name: 'going' } });
    const metadata = { name: 'held', finalizers: ['example.com/hold'] };
    await first.client.resource(configMaps, 'going').create({ metadata });
    await first.client.resource(namespaces).delete('going');
    await first.stop();

    const { client } = await started({ storage: 'embedded', dataDir });
    expect(await client.resource(namespaces).get('going')).toMatchObject({ status: { phase: 'Terminating' } });
    await client.resource(configMaps, 'going').patch('held', { metadata: { finalizers: null } });
    const gone = () => expect(client.resource(namespaces).get('going')).rejects.toMatchObject({ code: 404 });
    await vi.waitFor(gone, { interval: 10 });
  });

  it('belongs to one of many that start at once, and so do the certificates', async () => {
    const dataDir = await temporaryDirectory();
    const starts = await Promise.allSettled(
      Array.from({ length: 3 }, () => started({ ...idle, storage: 'embedded', dataDir })),
    );
    const [winner, ...others] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    expect(others).toEqual([]);
    await winner!.stop();
    const again = await started({ ...idle, storage: 'embedded', dataDir });
    // The credentials of the first server are still valid.
    const api = new TestApi({ ...winner!, url: again.url });
    expect((await api.get('/api')).status).toBe(200);
    await api.stop();
  });

  it('rejects a value that is too large and keeps working', async () => {
    const server = await started({ ...idle, storage: 'embedded', dataDir: await temporaryDirectory() });
    const revisions = { group: 'apps', version: 'v1', resource: 'controllerrevisions' };
    const items = server.client.resource(revisions, 'default');
    const large = { metadata: { name: 'large' }, data: { text: 'x'.repeat(2_000_000) } };
    await expect(items.create(large)).rejects.toMatchObject({ code: 413 });
    await items.create({ metadata: { name: 'small' }, data: {} });
  });
});

describe('a start that fails', () => {
  it.each<[string, object, string]>([
    ['an unknown storage', { storage: 'paper' }, 'unknown storage "paper": use embedded, memory or etcd'],
    ['a port that is none', { securePort: 70_000 }, 'port'],
    ['an unknown feature gate', { featureGates: 'Gadget=true' }, 'unrecognized feature gate: Gadget'],
    ['an unknown group', { runtimeConfig: 'gadgets/v1=true' }, 'gadgets/v1'],
    ['a certificate without its key', { tlsCertFile: 'x' }, 'must be given together'],
    [
      'a file that is not there',
      { clientCaFile: '/nowhere/ca.crt' },
      "ENOENT: no such file or directory, open '/nowhere/ca.crt'",
    ],
  ])('says why and leaves nothing behind: %s', async (_what, options, message) => {
    await expect(startServer({ storage: 'memory', ...options } as ServerOptions)).rejects.toThrow(message);
    await expectHandles();
  });

  it('for a port in use closes the store, so that the next start can have it', async () => {
    const dataDir = await temporaryDirectory();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    await expect(startServer({ storage: 'embedded', dataDir, securePort: port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await expectHandles('TCPServerWrap');
    await (await startServer({ ...idle, storage: 'embedded', dataDir })).stop();
  });

  it('for an invalid certificate closes the store', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'pki'));
    await writeFile(join(dataDir, 'pki', 'ca.crt'), 'not a certificate');
    await writeFile(join(dataDir, 'pki', 'ca.key'), 'not a key');
    await expect(startServer({ ...idle, storage: 'embedded', dataDir })).rejects.toThrow(/ca\.(crt|key)/);
    await expectHandles();
  });
});
