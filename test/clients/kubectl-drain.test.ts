import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';

const run = promisify(execFile);
const kubectls = newestKubectls();
const pods = { group: '', version: 'v1', resource: 'pods' };
const nodes = { group: '', version: 'v1', resource: 'nodes' };
const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-drain-'));
    server = await startTestedServer({ storage: 'memory', dataDir: join(folder, 'data') });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function runPod(name: string, nodeName: string): Promise<void> {
    const items = server.client.resource(pods, 'default');
    const containers = [{ name: 'c', image: 'example.com/c' }];
    await items.create({ metadata: { name, labels: { app: 'a' } }, spec: { nodeName, containers } });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await items.patch(name, { status }, { subresource: 'status' });
  }

  /**
   * Ends deleted pods as a kubelet does, and creates replacements as a controller does. Runs until the signal aborts.
   */
  async function keepRunning(signal: AbortSignal): Promise<void> {
    const items = server.client.resource(pods, 'default');
    for await (const { object } of items.watch({}, signal)) {
      const { name = '', deletionTimestamp, uid = '' } = object.metadata;
      const { nodeName } = object.spec as { nodeName?: string };
      if (deletionTimestamp === undefined || nodeName !== 'old') continue;
      const ended = items.delete(name, {}, { gracePeriodSeconds: 0, preconditions: { uid } });
      // After the second event for a pod, the deletion fails because the pod no longer exists.
      if (
        await ended.then(
          () => true,
          () => false,
        )
      )
        await runPod(`${name}-again`, 'new');
    }
  }

  it('drains a node, one pod after the other as their budget allows', async () => {
    for (const name of ['old', 'new']) await server.client.resource(nodes).create({ metadata: { name } });
    for (const name of ['a', 'b', 'c']) await runPod(name, 'old');
    const selector = { matchLabels: { app: 'a' } };
    const budget = server.client.resource(budgets, 'default');
    await budget.create({ metadata: { name: 'most' }, spec: { minAvailable: 2, selector } });
    await expect
      .poll(async () => ((await budget.get('most')).status as { disruptionsAllowed?: number }).disruptionsAllowed)
      .toBe(1);
    const stop = new AbortController();
    const running = keepRunning(stop.signal).catch(() => {});
    const environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    const { stdout, stderr } = await run(kubectl, ['drain', 'old', '--force', '--timeout=120s'], { env: environment });
    stop.abort();
    await running;
    expect(stdout).toMatch(/node\/old (drained|evicted)/);
    // Evicting all pods at the same time would have violated the budget.
    expect(stderr).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    const { items } = await server.client.resource(pods, 'default').list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a-again', 'b-again', 'c-again']);
  });
});
