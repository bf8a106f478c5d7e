import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';
import { ExtensionServer, fruits, recheck, untilCondition } from '../wire/extension-server.ts';
import { RunningKubectl } from './running-kubectl.ts';

const run = promisify(execFile);
const kubectls = newestKubectls();

/** A server with controllers, an extension server, and a kubectl that connects only to the server. */
describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  let api: TestApi;
  let extension: ExtensionServer;
  let folder: string;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    const server = await startTestedServer({ storage: 'memory', dataDir: join(folder, 'data') });
    api = new TestApi(server);
    environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
    extension = await ExtensionServer.start(api);
    await extension.register(api);
  });
  afterAll(async () => {
    await api.stop();
    await extension.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const out = async (args: string): Promise<string> =>
    (await run(kubectl, args.split(' '), { env: environment })).stdout;
  const create = (namespace: string, name: string) =>
    api.post(`${fruits}/namespaces/${namespace}/apples`, { metadata: { name }, spec: { colour: 'red' } });

  it('shows APIServices and their availability', async () => {
    expect(await out('get apiservices v1.fruits.example.com v1.apps --no-headers')).toMatch(
      /^v1.fruits.example.com +default\/fruits +True +\S+\nv1.apps +Local +True +\S+\n$/,
    );
  });

  it('finds, gets and deletes the resources of the extension server', async () => {
    expect(await out('api-resources --api-group=fruits.example.com --no-headers')).toMatch(
      /^apples +ap +fruits.example.com\/v1 +true +Apple\n$/,
    );
    await create('default', 'one');
    expect(await out('get ap -o jsonpath={.items[*].spec.colour}')).toBe('red');
    expect(JSON.parse(await out(`get --raw ${fruits}/namespaces/default/apples/one`)).spec).toEqual({ colour: 'red' });
    expect(await out('delete apples one')).toContain('deleted');
    await expect(out('get apple one')).rejects.toThrow('apples.fruits.example.com "one" not found');
  });

  it('watches them', async () => {
    const running = new RunningKubectl(kubectl, 'get apples -w -o name --watch-only', environment);
    await running.watching();
    await create('default', 'watched');
    expect(await running.printed(1)).toEqual(['apple.fruits.example.com/watched']);
  });

  it('explains them', async () => {
    for (const path of ['/openapi/v3', '/openapi/v2']) {
      await expect.poll(async () => (await api.get(path)).text).toContain('fruits.example.com/v1');
    }
    const explained = await out('explain apples.spec --api-version=fruits.example.com/v1');
    expect(explained).toContain('Colour of the peel.');
  });

  it('deletes namespaces with them, and waits for a server that is away', async () => {
    await out('create namespace orchard');
    await create('orchard', 'last');
    await extension.close();
    await recheck(api);
    await untilCondition(api, 'False');
    await api.delete('/api/v1/namespaces/orchard');
    const conditions = async () => (await api.get('/api/v1/namespaces/orchard')).body.status?.conditions;
    await expect.poll(conditions).toContainEqual(
      expect.objectContaining({
        type: 'NamespaceDeletionDiscoveryFailure',
        status: 'True',
        reason: 'DiscoveryFailed',
        message: expect.stringContaining('fruits.example.com/v1'),
      }),
    );
    await extension.listen();
    await recheck(api);
    await expect.poll(async () => (await api.get('/api/v1/namespaces/orchard')).status).toBe(404);
    expect((await api.get(`${fruits}/namespaces/orchard/apples`)).body.items).toEqual([]);
  });
});
