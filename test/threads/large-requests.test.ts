import { beforeAll, expect, it, vi } from 'vitest';
import { Http1Client } from '../../src/http/listener/http1-traffic/http1-client.conformance.ts';
import type { TestApi } from '../wire/api.ts';
import { heldCreate } from '../wire/flow-control.ts';
import { openSocket } from '../wire/raw-socket.ts';
import { statusesOf, ThreadedServer } from './threaded-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const somebody = { headers: { 'impersonate-user': 'somebody' } };
const data = { text: 'x'.repeat(20_000) };
const large = (name: string) => ({ metadata: { name }, data });

let threaded: ThreadedServer;
let clients: readonly TestApi[];
let first: TestApi;

beforeAll(async () => {
  threaded = await ThreadedServer.start();
  clients = threaded.clients(8);
  first = clients[0]!;
  return () => threaded.stop();
});

const all = (status: number): number[] => clients.map(() => status);

async function allowCreate(user: string): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
  await first.post(`${rbac}/roles`, { metadata: { name: user }, rules });
  await first.post(`${rbac}/rolebindings`, {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: user },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
}

/** Sends large requests until the thread for them is connected with all others. */
async function startThread(): Promise<void> {
  await vi.waitFor(async () => {
    expect(await statusesOf(clients, (api) => api.put(`${configMaps}/kept`, large('kept')))).toEqual(all(200));
    expect(threaded.ready.has('api-large')).toBe(true);
  }, 30_000);
  // Every thread replies to this after it has been connected.
  expect((await first.get('/keelson/status')).body.threads).toBe(threaded.threads);
}

it('the thread for large requests starts with the first one, and accepts no connections', async () => {
  expect(threaded.workers.has('api-large')).toBe(false);
  expect((await first.post(configMaps, large('kept'))).status).toBe(200);
  await startThread();
});

it('HTTP/1.1 clients may pipeline large requests and large responses', async () => {
  await startThread();
  const body = Buffer.from(JSON.stringify({ metadata: { name: 'large' }, data: { text: 'x'.repeat(300_000) } }));
  await first.post(configMaps, { metadata: { name: 'large' }, data: { text: 'x'.repeat(300_000) } });
  const head = (method: string, path: string, length: number) =>
    Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  const sockets = await Promise.all(clients.map((api) => openSocket(api, { ...api.tls, ALPNProtocols: ['http/1.1'] })));
  await Promise.all(
    sockets.map(async (socket) => {
      const client = new Http1Client(socket);
      for (let round = 0; round < 3; round++) {
        const path = `${configMaps}/large`;
        await Promise.all([
          client.write([head('GET', path, 0), head('PUT', path, body.length), body, head('GET', path, 0)]),
          (async () => {
            for (let response = 0; response < 3; response++) {
              const { status, body: object } = await client.next();
              expect(status).toBe(200);
              expect(JSON.parse(object.toString()).data.text.length).toBe(300_000);
            }
          })(),
        ]);
      }
    }),
  );
});

it('every thread sees at once what a large request has written, and obeys permissions in it', async () => {
  await startThread();
  for (const [index, api] of clients.entries()) {
    expect((await api.post(configMaps, large(`seen-${index}`))).status).toBe(200);
    expect(await statusesOf(clients, (other) => other.get(`${configMaps}/seen-${index}`))).toEqual(all(200));
  }
  const create = (api: TestApi, index: number) =>
    api.call('POST', configMaps, { body: large(`by-${index}`), ...somebody });
  const anonymous = (api: TestApi) => api.post(configMaps, large('anonymous'), { credentials: false });
  expect(await statusesOf(clients, anonymous)).toEqual(all(401));
  expect(await statusesOf(clients, create)).toEqual(all(403));
  await allowCreate('somebody');
  expect(await statusesOf(clients, create)).toEqual(all(200));
});

it('a request fails when the thread that handles it ends, and the thread starts again', async () => {
  await allowCreate('holder');
  await startThread();
  const { status } = heldCreate(first, { user: 'holder', name: 'held', data });
  const failed = expect(status).rejects.toThrow();
  // The status request itself is running as well.
  await vi.waitFor(async () => expect((await first.get('/keelson/status')).body.requests.running).toBe(2));
  await threaded.workers.get('api-large')!.terminate();
  await failed;
  expect((await first.get(`${configMaps}/held`)).status).toBe(404);
  await startThread();
  expect(threaded.errors.map(({ message }) => message)).toContain('a thread has ended and is started again');
});

it('nothing that was acknowledged is lost when the thread ends again and again', async () => {
  await startThread();
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = clients.map(async (api, writer) => {
    for (let index = 0; !isOver; index++) {
      const name = `kill-${writer}-${index}`;
      const response = await api.post(configMaps, large(name)).catch(() => undefined);
      if (response === undefined) continue;
      expect(response.status, response.text).toBe(200);
      acknowledged.push(name);
    }
  });
  for (let round = 0; round < 3; round++) {
    const before = acknowledged.length;
    await vi.waitFor(() => {
      expect(threaded.ready.has('api-large')).toBe(true);
      expect(acknowledged.length).toBeGreaterThan(before + 20);
    }, 30_000);
    await threaded.workers.get('api-large')?.terminate();
  }
  isOver = true;
  await Promise.all(writers);
  const { items } = (await first.get(configMaps)).body;
  const present = new Set(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name));
  expect(acknowledged.filter((name) => !present.has(name))).toEqual([]);
}, 120_000);
