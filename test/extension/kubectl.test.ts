import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchedKubectls } from '../../scripts/test-clients/kubectl.ts';
import { storedObjects } from '../../src/extension-server/index.ts';
import { RunningKubectl } from '../clients/running-kubectl.ts';
import { directKubeconfig, type ExtensionApi, extendCluster, startExtension } from './extension-api.ts';
import { serveMetrics } from './metrics-server.ts';

const run = promisify(execFile);
/** One version is enough here. `aggregated.test.ts` tests several versions through the API server. */
const kubectls = fetchedKubectls().slice(0, 1);

const measured = {
  nodes: { 'node-1': { cpu: '250m', memory: '1Gi' } },
  pods: {
    default: { web: { app: { cpu: '12m', memory: '34Mi' }, sidecar: { cpu: '1m', memory: '2Mi' } } },
    shop: { db: { db: { cpu: '2', memory: '5Gi' } } },
  },
};

/** kubectl uses the extension server directly, which accepts the administrator's certificate. */
describe.skipIf(kubectls.length === 0)('kubectl', () => {
  let metrics: ExtensionApi;
  let notes: Awaited<ReturnType<typeof extendCluster>>;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-extension-'));
    metrics = await startExtension((cluster) => serveMetrics(() => measured, { cluster }));
    notes = await extendCluster(metrics.cluster, [
      {
        kind: 'Note',
        plural: 'notes',
        shortNames: ['nt'],
        schema: {
          type: 'object',
          description: 'Note is a piece of paper.',
          properties: {
            spec: { type: 'object', properties: { text: { type: 'string', description: 'What is written on it.' } } },
          },
        },
        columns: [{ name: 'Text', type: 'string', jsonPath: '.spec.text' }],
        backend: storedObjects({ storage: 'memory' }),
      },
    ]);
    for (const [name, server] of Object.entries({ metrics: metrics.server, notes: notes.server })) {
      writeFileSync(join(folder, name), directKubeconfig(metrics.cluster, server), { mode: 0o600 });
    }
    const note = { apiVersion: 'example.com/v1', kind: 'Note', metadata: { name: 'a' }, spec: { text: 'hello' } };
    writeFileSync(
      join(folder, 'note.json'),
      JSON.stringify({ ...note, metadata: { name: 'a', namespace: 'default' } }),
    );
  });
  afterAll(async () => {
    await notes.api.stop();
    await metrics.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = (name: string) => ({ ...process.env, HOME: folder, KUBECONFIG: join(folder, name) });

  describe.each(kubectls)('%s', (kubectl) => {
    const use = async (name: string, args: string): Promise<string> =>
      String((await run(kubectl, args.split(' '), { env: environment(name) })).stdout);

    it.each([
      ['top pods', /^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nweb +13m +36Mi *\n$/],
      ['top pods -A --containers', /default +web +app +12m +34Mi(.*\n)+shop +db +db +2000m +5120Mi/],
      ['get --raw /apis/metrics.k8s.io/v1beta1/nodes/node-1', /"usage":\{"cpu":"250m","memory":"1Gi"\}/],
      ['get nodes.metrics.k8s.io', /^NAME +CPU +MEMORY\nnode-1 +250m +1Gi\n$/],
      ['api-resources --api-group=metrics.k8s.io -o name', /^nodes\.metrics\.k8s\.io\npods\.metrics\.k8s\.io\n$/],
    ])('%s', async (args, expected) => {
      expect(await use('metrics', args)).toMatch(expected);
    });

    it('explains, applies, shows and watches what is stored', async () => {
      expect(await use('notes', 'explain notes.spec.text')).toContain('What is written on it.');
      const following = new RunningKubectl(kubectl, 'get nt -w --output-watch-events -o name', environment('notes'));
      await following.watching();
      expect(await use('notes', `apply --server-side -f ${join(folder, 'note.json')}`)).toContain('serverside-applied');
      expect(await use('notes', 'get nt')).toMatch(/^NAME +TEXT\na +hello\n$/);
      expect(await use('notes', 'annotate note a seen=yes')).toContain('annotated');
      expect(await use('notes', 'delete note a')).toContain('deleted');
      expect((await following.printed(3)).slice(0, 3)).toEqual([
        expect.stringContaining('note.example.com/a'),
        expect.stringContaining('note.example.com/a'),
        expect.stringContaining('note.example.com/a'),
      ]);
    });
  });
});
