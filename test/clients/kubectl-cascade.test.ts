import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

const run = promisify(execFile);
const kubectls = newestKubectls();

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let server: Server;
  let api: TestApi;
  let folder: string;
  let made = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-cascade-'));
    server = await startTestedServer({
      storage: 'memory',
      dataDir: join(folder, 'data'),
      // Without this plugin, pods can be created before their namespace has its default service account.
      disableAdmissionPlugins: ['ServiceAccount'],
    });
    api = new TestApi(server);
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function use(args: string): Promise<string> {
    const environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    const { stdout } = await run(kubectl, args.split(' '), { env: environment });
    return stdout;
  }

  /** Creates a deployment, its replica set and a pod. Returns their namespace. */
  async function tree(): Promise<string> {
    const namespace = `tree${made++}`;
    await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web' }] } };
    const spec = { selector: { matchLabels: labels }, template };
    const ownedBy = ({ kind, metadata: { name, uid } }: { kind: string; metadata: { name: string; uid: string } }) => ({
      ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true, blockOwnerDeletion: true }],
      labels,
    });
    const apps = `/apis/apps/v1/namespaces/${namespace}`;
    const deployment = await api.post(`${apps}/deployments`, { metadata: { name: 'web', labels }, spec });
    const set = { metadata: { name: 'web-1', ...ownedBy(deployment.body) }, spec };
    const replicaSet = await api.post(`${apps}/replicasets`, set);
    const pod = { metadata: { name: 'web-1-a', ...ownedBy(replicaSet.body) }, spec: template.spec };
    await api.post(`/api/v1/namespaces/${namespace}/pods`, pod);
    expect(await left(namespace)()).toEqual(['web', 'web-1', 'web-1-a']);
    return namespace;
  }

  const left = (namespace: string) => async (): Promise<string[]> => {
    const apps = `/apis/apps/v1/namespaces/${namespace}`;
    const paths = [`${apps}/deployments`, `${apps}/replicasets`, `/api/v1/namespaces/${namespace}/pods`];
    const lists = await Promise.all(paths.map((path) => api.get(path)));
    return lists.flatMap(({ body }) => body.items.map((item: { metadata: { name: string } }) => item.metadata.name));
  };

  it('deletes a whole tree: --cascade=background', async () => {
    const namespace = await tree();
    expect(await use(`delete deployment web -n ${namespace} --cascade=background --timeout=120s`)).toContain('deleted');
    await expect.poll(left(namespace)).toEqual([]);
  });

  it('waits for the whole tree: --cascade=foreground', async () => {
    const namespace = await tree();
    expect(await use(`delete deployment web -n ${namespace} --cascade=foreground --timeout=120s`)).toContain('deleted');
    expect(await left(namespace)()).toEqual([]);
  });

  it('deletes a deployment alone: --cascade=orphan', async () => {
    const namespace = await tree();
    await use(`delete deployment web -n ${namespace} --cascade=orphan --timeout=120s`);
    expect(await left(namespace)()).toEqual(['web-1', 'web-1-a']);
    const replicaSet = await api.get(`/apis/apps/v1/namespaces/${namespace}/replicasets/web-1`);
    expect(replicaSet.body.metadata.ownerReferences).toBeUndefined();
  });

  it('deletes a namespace with everything in it', async () => {
    const namespace = await tree();
    expect(await use(`delete namespace ${namespace} --timeout=120s`)).toContain('deleted');
    await expect(use(`get namespace ${namespace}`)).rejects.toMatchObject({
      stderr: expect.stringContaining('NotFound'),
    });
    expect(await left(namespace)()).toEqual([]);
  });
});
