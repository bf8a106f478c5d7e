import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';

const run = promisify(execFile);
const kubectls = newestKubectls();

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'web:1' }] } };
const workload = { selector: { matchLabels: { app: 'web' } }, template };
const objects = [
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod' }, spec: template.spec },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'deployment' }, spec: { replicas: 2, ...workload } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1', b: '2' } },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly' },
    spec: {
      schedule: '@daily',
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  },
];

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    server = await startTestedServer({ storage: 'memory', dataDir: join(folder, 'data') });
    const path = join(folder, 'objects.json');
    writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    await use(`create -f ${path} --validate=false`);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function use(args: string): Promise<string> {
    const env = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    const { stdout } = await run(kubectl, args.split(' '), { env });
    return String(stdout);
  }

  it.each([
    ['pods', /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\npod +0\/1 +/],
    ['deployments', /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\ndeployment +0\/2 +0 +0 +/],
    ['services', /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE +SELECTOR\n/],
    ['configmaps', /^NAME +DATA +AGE\n(.*\n)*settings +2 +\S+\n/],
    [
      'cronjobs',
      /^NAME +SCHEDULE +TIMEZONE +SUSPEND +ACTIVE +LAST SCHEDULE +AGE +CONTAINERS +IMAGES +SELECTOR\nnightly +@daily /,
    ],
    ['namespaces', /^NAME +STATUS +AGE\ndefault +Active +/],
  ])('shows %s with their columns', async (resource, expected) => {
    expect(await use(`get ${resource} -o wide`)).toMatch(expected);
  });

  it('shows the default columns without -o wide', async () => {
    expect(await use('get deployments')).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\n/);
  });

  it('shows several kinds, one after the other', async () => {
    const text = await use('get configmap/settings deployment/deployment');
    expect(text).toMatch(
      /^NAME +DATA +AGE\nconfigmap\/settings +2 +\S+\n\nNAME +READY .*\ndeployment\.apps\/deployment +0\/2 /,
    );
  });

  it('shows labels and the namespace beside the columns', async () => {
    await use('label configmap settings tier=web');
    expect(await use('get configmaps -A --show-labels')).toMatch(
      /^NAMESPACE +NAME +DATA +AGE +LABELS\n(.*\n)*default +settings +2 .* tier=web\n/,
    );
    expect(await use('get configmaps -L tier')).toMatch(/^NAME +DATA +AGE +TIER\n(.*\n)*settings +2 .* web\n/);
  });
});
