import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchedKubectls } from '../../scripts/test-clients/kubectl.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';
import { RunningKubectl } from './running-kubectl.ts';

const run = promisify(execFile);
const kubectls = fetchedKubectls();
const namespace = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let api: TestApi;
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let minorVersion: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    const server = await startTestedServer({
      storage: 'memory',
      dataDir: join(folder, 'data'),
      controllers: [],
      disableAdmissionPlugins: ['ServiceAccount'],
    });
    api = new TestApi(server);
    environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    const { stdout } = await run(kubectl, ['version', '--client'], { env: environment });
    minorVersion = Number(/v1\.(\d+)/.exec(stdout)![1]);
  });
  afterAll(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const started = (args: string, extra: NodeJS.ProcessEnv = {}) =>
    new RunningKubectl(kubectl, args, { ...environment, ...extra });

  async function createPod(name: string): Promise<void> {
    const spec = { containers: [{ name: 'c', image: 'registry.example/web:1' }] };
    expect((await api.post(`${namespace}/pods`, { metadata: { name }, spec })).status).toBe(200);
  }

  it('get -w shows the present state, then changes and deletions', async () => {
    const path = await api.configMaps('shown', { a: {}, hidden: {} });
    const running = started('get configmaps -n shown -w -o name --field-selector metadata.name!=hidden');
    await running.watching();
    await api.post(path, { metadata: { name: 'b' } });
    await api.patch(`${path}/b`, { data: { k: '1' } });
    await api.delete(`${path}/a`);
    expect(await running.printed(4)).toEqual(['configmap/a', 'configmap/b', 'configmap/b', 'configmap/a']);
  });

  it('get -w of one object shows that one alone', async () => {
    const path = await api.configMaps('one', { a: {}, b: {} });
    const running = started('get configmap b -n one -w -o name');
    await running.watching();
    await api.patch(`${path}/a`, { data: { k: '1' } });
    await api.patch(`${path}/b`, { data: { k: '1' } });
    expect(await running.printed(2)).toEqual(['configmap/b', 'configmap/b']);
  });

  it('get --watch-only shows changes alone', async () => {
    const path = await api.configMaps('changes', { a: {} });
    const running = started('get configmaps -n changes --watch-only -o name');
    await running.watching();
    await api.post(path, { metadata: { name: 'b' } });
    expect(await running.printed(1)).toEqual(['configmap/b']);
  });

  it('get -w -A with a selector', async () => {
    const path = await api.configMaps('selected', { a: { wanted: 'y' }, b: {} });
    const running = started('get configmaps -A -l wanted -w -o name');
    await running.watching();
    await api.patch(`${path}/b`, { metadata: { labels: { wanted: 'y' } } });
    expect(await running.printed(2)).toEqual(['configmap/a', 'configmap/b']);
  });

  // This setting makes client libraries request streamed lists. Newer versions request them by default.
  it.each(['false', 'true'])('wait --for=condition, with streamed lists: %s', async (streamed) => {
    const name = `ready-${streamed}`;
    await createPod(name);
    const running = started(`wait --for=condition=Ready pod/${name} --timeout=120s`, {
      KUBE_FEATURE_WatchListClient: streamed,
    });
    await running.watching();
    const ready = (status: string) => ({ status: { conditions: [{ type: 'Ready', status }] } });
    await api.patch(`${namespace}/pods/${name}/status`, ready('False'));
    await api.patch(`${namespace}/pods/${name}/status`, ready('True'));
    expect(await running.exit).toBe(0);
    const isStreamed = streamed === 'true' && minorVersion >= 35;
    expect(running.requests.some((line) => line.includes('sendInitialEvents=true'))).toBe(isStreamed);
    expect(running.lines).toEqual([`pod/${name} condition met`]);
  });

  it('wait --for=condition ends without success after its timeout', async () => {
    await createPod('never');
    const running = started('wait --for=condition=Ready pod/never --timeout=1s');
    expect(await running.exit).not.toBe(0);
    expect(running.lines).toEqual([]);
  });

  it('wait --for=delete', async () => {
    await api.post(`${namespace}/configmaps`, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    const running = started('wait --for=delete configmap/held --timeout=120s');
    await running.watching();
    await api.delete(`${namespace}/configmaps/held`);
    await api.patch(`${namespace}/configmaps/held`, { metadata: { finalizers: null } });
    expect(await running.exit).toBe(0);
    expect(running.lines).toEqual(['configmap/held condition met']);
  });

  it('wait --for=jsonpath', async ({ skip }) => {
    skip(minorVersion < 23, 'this kubectl is too old');
    await createPod('phased');
    const running = started('wait --for=jsonpath={.status.phase}=Running pod/phased --timeout=120s');
    await running.watching();
    await api.patch(`${namespace}/pods/phased/status`, { status: { phase: 'Running' } });
    expect(await running.exit).toBe(0);
    expect(running.lines).toEqual(['pod/phased condition met']);
  });

  it('rollout status follows what a controller writes', async () => {
    const labels = { app: 'web' };
    const spec = { containers: [{ name: 'c', image: 'registry.example/web:1' }] };
    await api.post(deployments, {
      metadata: { name: 'web' },
      spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
    const running = started('rollout status deployment/web --timeout=120s');
    await running.watching();
    const status = async (observed: object) => {
      const counts = { observedGeneration: 1, replicas: 2, ...observed };
      expect((await api.patch(`${deployments}/web/status`, { status: counts })).status).toBe(200);
    };
    await status({ updatedReplicas: 1 });
    await status({ updatedReplicas: 2, availableReplicas: 1, readyReplicas: 1 });
    await status({ updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2 });
    expect(await running.exit).toBe(0);
    expect(running.lines).toEqual(
      expect.arrayContaining([
        'Waiting for deployment "web" rollout to finish: 1 out of 2 new replicas have been updated...',
        'Waiting for deployment "web" rollout to finish: 1 of 2 updated replicas are available...',
      ]),
    );
    expect(running.lines.at(-1)).toBe('deployment "web" successfully rolled out');
  });
});
