import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchedKubectls } from '../../scripts/test-clients/kubectl.ts';
import { commandScript } from '../bundles/bundles.ts';
import { ControlPlane, hasFlag } from '../envtest/control-plane.ts';
import { runScenario } from '../exactness/scenario.ts';
import { seeds } from '../exactness/seeds.ts';
import { runHere } from '../existing-data/run-command.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const run = promisify(execFile);
const keelson = (...args: string[]) => run(process.execPath, [commandScript, ...args]);

let assets: string;
let plane: ControlPlane;
beforeAll(async () => {
  const { stdout } = await keelson(
    'envtest',
    'path',
    '--dir',
    join(process.env.TMPDIR ?? '/tmp', `envtest-${process.pid}`),
  );
  assets = stdout.trim();
  plane = new ControlPlane({ assets, flags: ['--threads=1'] });
  await plane.start();
});
afterAll(async () => {
  await plane?.remove();
  await run('rm', ['-rf', assets]);
});

it('the folder has the programs of envtest, and can be made again', async () => {
  expect((await readdir(assets)).sort()).toEqual(['etcd', 'kube-apiserver', 'kubectl']);
  for (const name of await readdir(assets)) expect((await stat(join(assets, name))).mode & 0o111).toBe(0o111);
  expect((await keelson('envtest', 'path', '--dir', assets)).stdout).toBe(`${assets}\n`);
});

it('the help has the flags that envtest looks for', async () => {
  expect(await hasFlag(join(assets, 'kube-apiserver'), 'insecure-port')).toBe(false);
  expect(await hasFlag(join(assets, 'kube-apiserver'), 'cert-dir')).toBe(true);
  expect(await hasFlag(join(assets, 'etcd'), 'unsafe-no-fsync')).toBe(true);
});

describe('the control plane', () => {
  it('behaves like kube-apiserver: no controllers, and 201 for creates', async () => {
    const api = await plane.api();
    const created = await api.post('/api/v1/namespaces', { metadata: { name: 'plain' } });
    expect(created.status).toBe(201);
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect((await api.post('/api/v1/namespaces/plain/pods', pod)).status).toBe(201);
    expect((await api.get('/api/v1/namespaces/plain/configmaps')).body.items).toEqual([]);
    expect((await api.get('/apis/coordination.k8s.io/v1/leases')).body.items).toEqual([]);
    const { body } = await api.get('/api/v1/namespaces/default/services/kubernetes');
    expect(body.spec.clusterIP).toBe('10.0.0.1');
    await api.stop();
  });

  it('knows the users of envtest by their certificates, and signs tokens with its key', async () => {
    const api = await plane.api();
    const { body } = await api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect(body.status.userInfo).toMatchObject({
      username: 'default',
      groups: expect.arrayContaining(['system:masters']),
    });
    await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    const token = await api.post('/api/v1/namespaces/default/serviceaccounts/robot/token', { spec: {} });
    const headers = { authorization: `Bearer ${token.body.status.token}` };
    const self = await api.post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { headers, credentials: false },
    );
    expect(self.body.status.userInfo.username).toBe('system:serviceaccount:default:robot');
    expect((await api.get('/api/v1/secrets', { headers, credentials: false })).status).toBe(403);
    await api.stop();
  });

  const [kubectl] = fetchedKubectls();
  it.skipIf(kubectl === undefined)('runs the kubectl of the PATH', async () => {
    const kubeconfig = join(await temporaryDirectory(), 'user.kubecfg');
    await writeFile(kubeconfig, await plane.kubeconfig('default', ['system:masters']));
    const args = [`--kubeconfig=${kubeconfig}`, 'get', 'namespace', 'default', '-o', 'name'];
    // The folder itself is first in the PATH, as it may be with envtest.
    const env = { ...process.env, PATH: `${assets}:${dirname(kubectl!)}:/usr/bin:/bin` };
    expect((await run(join(assets, 'kubectl'), args, { env })).stdout).toBe('namespace/default\n');
    const missing = run(join(assets, 'kubectl'), args, { env: { PATH: assets } });
    await expect(missing).rejects.toMatchObject({ code: 127, stderr: expect.stringContaining('kubernetes.io/docs') });
  });

  it('sends every client exactly what happened', async () => {
    const api = await plane.api();
    const subject = { api, mayRestart: false, versionsExpire: false, available: async () => {} };
    for (const seed of seeds(1)) {
      const counts = await runScenario({ seed, subject, rounds: 1, writers: 3, operations: 20, informers: 4 });
      expect(counts.changes).toBeGreaterThan(0);
    }
    await api.stop();
  });

  it('keeps the objects of its etcd, ends in time, and begins anew with a new etcd', async () => {
    const before = await plane.api();
    await before.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' } });
    await before.stop();
    expect(await plane.apiServer.stop()).toBe(0);
    await plane.startApiServer();
    const again = await plane.api();
    expect((await again.get('/api/v1/namespaces/default/configmaps/kept')).status).toBe(200);
    await again.stop();
    expect(await plane.stop()).toEqual([0, 0]);
    await plane.start();
    const fresh = await plane.api();
    expect((await fresh.get('/api/v1/namespaces/default/configmaps/kept')).status).toBe(404);
    await fresh.stop();
  });
});

it('the API server reports errors of its flags', async () => {
  // Runs the same command as the program in the folder.
  const refused = (...flags: string[]) => runHere('envtest', 'kube-apiserver', ...flags);
  expect(await refused('--etcd-servers=http://127.0.0.1:1', '--v=1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no etcd at http://127.0.0.1:1'),
  });
  expect(await refused('--cloud-provider=aws')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--cloud-provider is not supported by Keelson: there is no cloud provider'),
  });
});
