import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { newestKubectls } from '../../scripts/test-clients/kubectl.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';
import { createAuthority, issueServer } from '../wire/certificates.ts';
import { ownAddress, startProxied, writeNode, writePod, writeService } from '../wire/proxied-server.ts';
import { RunningKubectl } from './running-kubectl.ts';

const run = promisify(execFile);
const kubectls = newestKubectls();
const sockets = new WebSocketServer({ noServer: true });
const service = '/api/v1/namespaces/default/services/http:web:80/proxy/';

let folder: string;
let api: TestApi;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keelson-kubectl-proxy-'));
  const server = await startTestedServer({
    storage: 'memory',
    dataDir: join(folder, 'data'),
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  api = new TestApi(server);
  environment = { ...process.env, HOME: folder, KUBECONFIG: server.kubeconfigFile };
  const kubelet = await startProxied((request, response) => response.end(`kubelet ${request.url}\n`), {
    tls: await issueServer(await createAuthority('kubelets'), '127.0.0.1'),
  });
  const web = await startProxied((request, response) => response.end(`${request.method} ${request.url}\n`), {
    onUpgrade: (request, socket) =>
      sockets.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) => webSocket.send(`socket ${request.url}`)),
  });
  await writeNode(api, { name: 'n', port: kubelet.port });
  if (ownAddress === undefined) return;
  await writePod(api, { name: 'web', ip: ownAddress, port: web.port });
  await writeService(api, {
    name: 'web',
    ports: [{ port: 80, targetPort: web.port }],
    endpoints: [{ ip: ownAddress, pod: 'web' }],
  });
});

afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(kubectls.length === 0).each(kubectls)('%s', (kubectl) => {
  const get = async (path: string): Promise<string> =>
    (await run(kubectl, ['get', '--raw', path], { env: environment })).stdout;

  it('reads from a kubelet', async () => {
    expect(await get('/api/v1/nodes/n/proxy/metrics?a=b')).toBe('kubelet /metrics?a=b\n');
  });

  it.skipIf(ownAddress === undefined)('reads from a pod and a service', async () => {
    expect(await get(`${service}x/y?z=1`)).toBe('GET /x/y?z=1\n');
    expect(await get('/api/v1/namespaces/default/pods/web/proxy/')).toBe('GET /\n');
  });

  it.skipIf(ownAddress === undefined)('says what is wrong', async () => {
    const gone = '/api/v1/namespaces/default/services/web:81/proxy/';
    await expect(get(gone)).rejects.toThrow('no service port 81 found for service "web"');
    await expect(get('/api/v1/nodes/missing/proxy/')).rejects.toThrow('nodes "missing" not found');
  });

  it.skipIf(ownAddress === undefined)('lets programs of this machine use a service, WebSockets included', async () => {
    const proxy = new RunningKubectl(kubectl, 'proxy --port=0', environment);
    const [line = ''] = await proxy.printed(1);
    const address = /127\.0\.0\.1:\d+/.exec(line)?.[0];
    const posted = await fetch(`http://${address}${service}items`, { method: 'POST', body: 'x' });
    expect(await posted.text()).toBe('POST /items\n');
    const redirected = await fetch(`http://${address}${service.slice(0, -1)}`);
    expect([redirected.redirected, await redirected.text()]).toEqual([true, 'GET /\n']);
    const client = new WebSocket(`ws://${address}${service}live?a=b`);
    const [data] = await once(client, 'message');
    expect(String(data)).toBe('socket /live?a=b');
    client.terminate();
  });
});
