import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ExtensionServer, serveExtension, storedObjects } from '../../src/extension-server/index.ts';
import { TestApi } from '../wire/api.ts';

const namespace = '/api/v1/namespaces/default';
const notes = '/apis/example.com/v1/namespaces/default/notes';
const visits = '/apis/example.com/v1/namespaces/default/visits';
const note = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Note', metadata: { name } });

let cluster: TestApi;
let extension: ExtensionServer;

beforeAll(async () => {
  cluster = await TestApi.start({ controllers: ['resourcequota-controller'] });
  extension = await serveExtension({
    group: 'example.com',
    version: 'v1',
    resources: [
      { kind: 'Note', plural: 'notes', backend: storedObjects({ storage: 'memory' }) },
      {
        kind: 'Visit',
        plural: 'visits',
        backend: {
          list: () => [
            { apiVersion: 'example.com/v1', kind: 'Visit', metadata: { name: 'one', namespace: 'default' } },
          ],
          async *watch({ signal }) {
            await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          },
        },
      },
    ],
    cluster: { kubeconfig: cluster.server.kubeconfig },
    register: { service: { namespace: 'default', name: 'notes' }, address: 'localhost' },
  });
  await vi.waitUntil(async () => (await cluster.get(notes)).status === 200);
});
afterAll(async () => {
  await extension.stop();
  await cluster.stop();
});

const used = (expected: object) =>
  vi.waitFor(async () => {
    const { body } = await cluster.get(`${namespace}/resourcequotas/q`);
    expect(body.status?.used).toEqual(expected);
  });

it('a quota counts objects of another server, but does not limit them', async () => {
  expect((await cluster.get(visits)).body.items).toHaveLength(1);
  for (const name of ['a', 'b']) expect((await cluster.post(notes, note(name))).status).toBe(201);
  // Visits cannot be created or deleted through the API, so the quota does not count them.
  const hard = { 'count/notes.example.com': '2', 'count/visits.example.com': '1' };
  await cluster.post(`${namespace}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
  await used({ 'count/notes.example.com': '2' });
  // Admission of these objects happens on the extension server, which does not know about quotas.
  expect((await cluster.post(notes, note('c'))).status).toBe(201);
  expect((await cluster.delete(`${notes}/a`)).status).toBe(200);
  expect((await cluster.delete(`${notes}/b`)).status).toBe(200);
  await used({ 'count/notes.example.com': '1' });
});
