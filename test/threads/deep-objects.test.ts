import { expect, it, onTestFinished, vi } from 'vitest';
import { ThreadedServer } from './threaded-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.com/v1/things';

const definition = {
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
};

it('what the thread for large requests accepts, however deep, the others can change and delete', async () => {
  const threaded = await ThreadedServer.start({ threads: 1 });
  onTestFinished(() => threaded.stop());
  const [api] = threaded.clients(1);
  await api!.post(definitions, definition);
  await vi.waitFor(async () => expect((await api!.get(things)).status).toBe(200));
  const padding = 'x'.repeat(16 * 1024);
  let accepted = 0;
  for (let depth = 500; depth <= 9500; depth += 500) {
    const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const name = `depth-${depth}`;
    const body = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":{"padding":"${padding}","nested":${nested}}}`;
    const created = await api!.call('POST', things, { body: Buffer.from(body) });
    expect(created.status).toBeLessThan(500);
    if (created.status >= 300) continue;
    accepted++;
    expect((await api!.get(`${things}/${name}`)).status).toBe(200);
    expect((await api!.delete(`${things}/${name}`)).status, name).toBe(200);
  }
  expect(threaded.ready).toContain('api-large');
  expect(accepted).toBeGreaterThan(0);
});
