import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import {
  type ExtensionServer,
  serveExtension,
  storedObjects,
  type UserInfo,
} from '../../src/extension-server/index.ts';
import { TestApi } from '../wire/api.ts';
import { serveMetrics } from './metrics-server.ts';

const run = promisify(execFile);
const kubectls = newestKubectls();
const measured = {
  nodes: { 'node-1': { cpu: '1', memory: '2Gi' } },
  pods: { default: { web: { app: { cpu: '12m', memory: '34Mi' } } } },
};
const notes = '/apis/example.com/v1/namespaces/default/notes';
const note = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Note', metadata: { name } });

describe('through the API server', () => {
  let cluster: TestApi;
  let folder: string;
  let metrics: ExtensionServer;
  let stored: ExtensionServer;
  let requester: UserInfo | undefined;

  const start = (): Promise<ExtensionServer> =>
    serveExtension({
      group: 'example.com',
      version: 'v1',
      resources: [
        { kind: 'Note', plural: 'notes', backend: storedObjects({ storage: 'memory' }) },
        {
          kind: 'Visit',
          plural: 'visits',
          namespaced: false,
          backend: {
            list: ({ user }) => {
              requester = user;
              return [];
            },
          },
        },
      ],
      cluster: { kubeconfig: cluster.server.kubeconfig },
      register: { service: { namespace: 'default', name: 'notes' }, address: 'localhost' },
    });
  /** Waits until the API server considers the extension server available. */
  const available = (path: string) => vi.waitUntil(async () => (await cluster.get(path)).status === 200);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-extension-'));
    cluster = await TestApi.start({ controllers: ['*'] });
    writeFileSync(join(folder, 'kubeconfig'), cluster.server.kubeconfig, { mode: 0o600 });
    metrics = await serveMetrics(() => measured, {
      cluster: { kubeconfigFile: join(folder, 'kubeconfig') },
      register: { service: { namespace: 'kube-system', name: 'metrics-server' }, address: '127.0.0.1' },
    });
    stored = await start();
    await cluster.post('/api/v1/nodes', { metadata: { name: 'node-1' } });
    const resources = { cpu: '4', memory: '8Gi' };
    await cluster.patch('/api/v1/nodes/node-1/status', { status: { capacity: resources, allocatable: resources } });
    await available('/apis/metrics.k8s.io/v1beta1/nodes');
    await available(notes);
  });
  afterAll(async () => {
    await stored.stop();
    await metrics.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
    it.each([
      [
        'top nodes',
        /^NAME +CPU\(cores\) +CPU\(?%\)? +MEMORY\(bytes\) +MEMORY\(?%\)? *\nnode-1 +1000m +25% +2048Mi +25% *\n$/,
      ],
      ['top pods', /^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nweb +12m +34Mi *\n$/],
      ['get nodes.metrics.k8s.io', /^NAME +CPU +MEMORY\nnode-1 +1 +2Gi\n$/],
      ['api-resources --api-group=example.com -o name', /^notes\.example\.com\nvisits\.example\.com\n$/],
    ])('%s', async (args, expected) => {
      const env = { ...process.env, HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') };
      const { stdout } = await run(kubectl, args.split(' '), { env });
      expect(String(stdout)).toMatch(expected);
    });
  });

  it('the extension receives the user of a request', async () => {
    const visits = '/apis/example.com/v1/visits';
    await cluster.get(visits);
    expect(requester).toMatchObject({ name: 'kubernetes-admin', groups: expect.arrayContaining(['system:masters']) });
    const refused = await cluster.get(visits, { headers: { 'impersonate-user': 'jane', 'x-remote-user': 'root' } });
    expect(refused.body.message).toContain('User "jane" cannot list resource "visits"');
    await cluster.get(visits, { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' } });
    expect(requester).toMatchObject({ name: 'jane', groups: ['system:masters', 'system:authenticated'] });
  });

  it('objects are written and watched', async () => {
    const watch = await cluster.watch(`${notes}?watch=1`);
    expect((await cluster.post(notes, note('a'))).status).toBe(201);
    const applied = await cluster.call('PATCH', `${notes}/a?fieldManager=tester`, {
      body: { ...note('a'), metadata: { name: 'a', labels: { seen: 'yes' } } },
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
    expect(applied.body.metadata.labels).toEqual({ seen: 'yes' });
    await cluster.delete(`${notes}/a`);
    expect(await watch.take(3)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    watch.close();
  });

  it('objects go with their namespace', async () => {
    await cluster.post('/api/v1/namespaces', { metadata: { name: 'shop' } });
    const inShop = notes.replace('default', 'shop');
    expect((await cluster.post(inShop, note('b'))).status).toBe(201);
    await cluster.delete('/api/v1/namespaces/shop');
    await vi.waitUntil(async () => (await cluster.get('/api/v1/namespaces/shop')).status === 404);
    expect((await cluster.get(inShop)).body.items).toEqual([]);
    expect((await cluster.post(inShop, note('c'))).body.message).toBe('namespaces "shop" not found');
  });

  it('an extension that goes away can come back with other certificates', async () => {
    const { ca } = stored;
    const watch = await cluster.watch(`${notes}?watch=1`);
    await stored.stop();
    await watch.ended;
    expect((await cluster.get(notes)).status).toBe(503);
    stored = await start();
    expect(stored.ca).not.toBe(ca);
    await available(notes);
  });
});
