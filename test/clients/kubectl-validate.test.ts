import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchedKubectls } from '../../scripts/test-clients/kubectl.ts';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';

const run = promisify(execFile);
const kubectls = fetchedKubectls();

const objectMeta = { name: 'checked' };
const selector = { app: 'checked' };
const valid: readonly object[] = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: objectMeta,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: objectMeta,
    spec: {
      containers: [
        {
          name: 'c',
          image: 'example.com/c:1',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          livenessProbe: { httpGet: { path: '/', port: 'http' } },
          resources: { limits: { cpu: 1, memory: '1Gi' } },
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: objectMeta,
    spec: { selector, ports: [{ port: 80, targetPort: 8080 }], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: objectMeta,
    spec: { podSelector: { matchLabels: selector }, policyTypes: ['Egress'] },
  },
];

/** Old versions of kubectl check objects against `/openapi/v2` themselves. New ones ask the server to. */
describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    server = await startTestedServer({
      storage: 'memory',
      dataDir: join(folder, 'data'),
      controllers: [],
      disableAdmissionPlugins: ['ServiceAccount'],
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function create(items: readonly object[]): Promise<string> {
    const file = join(folder, 'objects.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    const { stdout } = await run(kubectl, ['create', '--validate=true', '-f', file], { env: environment });
    return stdout;
  }

  it('accepts valid objects', async () => {
    expect((await create(valid)).match(/created/g)).toHaveLength(valid.length);
  });

  it.each([
    ['an unknown field', { metadata: objectMeta, spec: { accessMods: [] } }, 'accessMods'],
    ['a wrong type', { metadata: objectMeta, spec: { accessModes: 'ReadWriteOnce' } }, 'accessModes'],
  ])('refuses %s', async (_about, claim, field) => {
    await expect(create([{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim }])).rejects.toMatchObject({
      stderr: expect.stringContaining(field),
    });
  });
});
