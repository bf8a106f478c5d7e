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

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let server: Server;
  let folder: string;
  let made = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-cascade-'));
    server = await startTestedServer({ storage: 'memory', dataDir: join(folder, 'data') });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function use(args: string): Promise<string> {
    const environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    const { stdout } = await run(kubectl, args.split(' '), { env: environment });
    return stdout;
  }

  /** Makes a deployment, its replica set and a pod by hand; the name of their namespace. */
  async function tree(): Promise<string> {
    const namespace = `tree${made++}`;
    await use(`create namespace ${namespace}`);
    await use(`create deployment web --image=example.com/web -n ${namespace}`);
    const uid = (kind: string, name: string) => use(`get ${kind} ${name} -n ${namespace} -o jsonpath={.metadata.uid}`);
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web' }] } };
    const owned = async (kind: string, name: string) => ({
      ownerReferences: [
        { apiVersion: 'apps/v1', kind, name, uid: await uid(kind, name), controller: true, blockOwnerDeletion: true },
      ],
      labels,
      namespace,
    });
    const create = async (object: { readonly kind: string; readonly [field: string]: unknown }): Promise<void> => {
      const file = join(folder, `${namespace}-${object.kind}.json`);
      writeFileSync(file, JSON.stringify(object));
      await use(`create -f ${file}`);
    };
    await create({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web-1', ...(await owned('Deployment', 'web')) },
      spec: { selector: { matchLabels: labels }, template },
    });
    await create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1-a', ...(await owned('ReplicaSet', 'web-1')) },
      spec: template.spec,
    });
    return namespace;
  }

  const left = (namespace: string) => async () =>
    (await use(`get deployments,replicasets,pods -n ${namespace} -o name`)).trim().split('\n').filter(Boolean);

  it.each(['background', 'foreground'])('deletes a whole tree: --cascade=%s', async (cascade) => {
    const namespace = await tree();
    expect(await use(`delete deployment web -n ${namespace} --cascade=${cascade} --timeout=120s`)).toContain('deleted');
    await expect.poll(left(namespace)).toEqual([]);
  });

  it('waits for the tree in the foreground', async () => {
    const namespace = await tree();
    await use(`delete deployment web -n ${namespace} --cascade=foreground --timeout=120s`);
    expect(await left(namespace)()).toEqual([]);
  });

  it('deletes a deployment alone: --cascade=orphan', async () => {
    const namespace = await tree();
    await use(`delete deployment web -n ${namespace} --cascade=orphan --timeout=120s`);
    expect(await left(namespace)()).toEqual(['replicaset.apps/web-1', 'pod/web-1-a']);
    const owners = await use(`get replicaset web-1 -n ${namespace} -o jsonpath={.metadata.ownerReferences}`);
    expect(owners).toBe('');
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
