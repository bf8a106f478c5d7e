import { type ExecFileOptions, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchedKubectls, newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

const run = promisify(execFile);
const kubectls = fetchedKubectls();
/** Old versions are only tested where they behave differently: discovery, explanations, reads, writes and watches. */
const newest = newestKubectls();

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let server: Server;
  let api: TestApi;
  let folder: string;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    server = await startTestedServer({ storage: 'memory', dataDir: join(folder, 'data') });
    api = new TestApi(server);
    environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function use(args: string, options: ExecFileOptions = {}): Promise<string> {
    const { stdout } = await run(kubectl, args.split(' '), { ...options, env: { ...environment, ...options.env } });
    return String(stdout);
  }

  function manifest(name: string, object: unknown): string {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(object));
    return path;
  }

  it('prints the versions', async () => {
    expect(await use('version')).toMatch(/Server Version.*v?1\.36|Minor:"36"/);
  });

  it('knows the resources', async () => {
    const resources = await use('api-resources');
    expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
    expect(resources).toMatch(/^namespaces +ns +v1 +false +Namespace$/m);
    expect(await use('api-versions')).toContain('networking.k8s.io/v1\n');
  });

  it('explains a type', async () => {
    const text = await use('explain pod.spec.containers');
    expect(text).toMatch(/livenessProbe\s+<(Object|Probe)>\s+Restarts the container when it fails\./);
    expect(text).toMatch(/image\s+<string>\s+The image to run, such as/);
    expect(text).toMatch(/DESCRIPTION:\s+The containers of the pod, at least one\..*\s+A container of a pod\./s);
    const strategy = await use('explain deployments.spec.strategy');
    expect(strategy).toMatch(/DESCRIPTION:\s+How pods are replaced when the template changes\./);
    expect(strategy).toMatch(/type\s+<string>\s+(enum: .*\s+)?RollingUpdate replaces them step by step/);
  });

  it('creates, shows, changes and deletes objects', async () => {
    expect(await use('create ns shop')).toBe('namespace/shop created\n');
    expect(await use('create configmap settings -n shop --from-literal=colour=red')).toBe(
      'configmap/settings created\n',
    );
    expect(await use('get configmaps -A')).toMatch(/^shop +settings /m);
    expect(await use('label configmap settings -n shop tier=web')).toMatch(/settings labeled/);
    expect(await use('get configmaps -n shop -l tier=web -o name')).toBe('configmap/settings\n');
    expect(await use('annotate configmap settings -n shop note=x')).toMatch(/settings annotate/);
    const described = await use('describe configmap settings -n shop');
    expect(described).toContain('tier=web');
    expect(described).toMatch(/colour:\n-+\nred/);
    expect(await use('delete configmap settings -n shop')).toMatch(/"settings" deleted/);
    expect((await api.get('/api/v1/namespaces/shop/configmaps/settings')).status).toBe(404);
  });

  it('edits and replaces', async () => {
    await api.post(configMaps, { metadata: { name: 'edited' }, data: { key: 'before' } });
    expect(await use('edit configmap edited', { env: { EDITOR: 'sed -i s/before/after/' } })).toMatch(/edited edited/);
    const { body: object } = await api.get(`${configMaps}/edited`);
    expect(object.data).toEqual({ key: 'after' });
    const path = manifest('replaced.json', { ...object, data: { key: 'replaced' } });
    expect(await use(`replace -f ${path}`)).toBe('configmap/edited replaced\n');
    await expect(use(`replace -f ${path}`)).rejects.toMatchObject({ stderr: expect.stringContaining('Conflict') });
    expect((await api.get(`${configMaps}/edited`)).body.data).toEqual({ key: 'replaced' });
  });

  it('follows changes', async () => {
    const watching = spawn(kubectl, ['get', 'secrets', '-w', '-o', 'name'], { env: environment });
    try {
      const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]();
      // kubectl finds the secret whether it is still listing or already watching.
      await api.post(secrets, { metadata: { name: 'seen' } });
      expect((await lines.next()).value).toBe('secret/seen');
      await api.patch(`${secrets}/seen`, { metadata: { labels: { changed: 'yes' } } });
      expect((await lines.next()).value).toBe('secret/seen');
    } finally {
      watching.kill();
    }
  });

  if (!newest.includes(kubectl)) return;

  it('explains everything below a type', async () => {
    const text = await use('explain --recursive deployments');
    expect(text).toMatch(/DESCRIPTION:\s+Keeps a number of pods running and replaces them step by step/);
    expect(text).toMatch(/strategy\s+<.*>\s+rollingUpdate\s+<.*>\s+maxSurge\s+</);
  });

  it('creates and describes a pod from a manifest', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'c', image: 'registry.example/web:1' }] },
    };
    expect(await use(`create -f ${manifest('pod.json', pod)}`)).toBe('pod/web created\n');
    expect(await use('describe pod web')).toMatch(/Image: +registry\.example\/web:1/);
    expect(await use('delete pod web')).toMatch(/"web" deleted/);
  });

  it('refuses what the server refuses', async () => {
    const bad = manifest('bad.json', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Bad_Name' } });
    await expect(use(`create -f ${bad}`)).rejects.toMatchObject({
      stderr: expect.stringContaining('a lowercase RFC 1123 subdomain must consist of'),
    });
  });

  it('deletes a namespace with what is in it', async () => {
    const content = await api.configMaps('doomed', { content: {} });
    expect(await use('delete ns doomed')).toMatch(/"doomed" deleted/);
    expect((await api.get('/api/v1/namespaces/doomed')).status).toBe(404);
    expect((await api.get(`${content}/content`)).status).toBe(404);
  });
});
