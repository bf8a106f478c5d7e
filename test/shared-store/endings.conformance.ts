import { expect, it, vi } from 'vitest';
import type { ApiResponse } from '../wire/api.ts';
import { definitions, widgetDefinition } from '../wire/custom-types.ts';
import { type NewStore, type SharedServer, type SharedStore, shortTimings, startForSuite } from './shared-store.ts';

/** Longer than any lag, so that all servers know of the deletion before the remaining objects are deleted. */
const timings = { ...shortTimings, settleMs: 2000 };

/** Creates objects on all servers at the same time until each server rejects one. Returns the rejections. */
async function untilRefused(
  servers: readonly SharedServer[],
  create: (server: SharedServer, name: string) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  return Promise.all(
    servers.map(async (server, index) => {
      for (let count = 0; ; count++) {
        const response = await create(server, `o-${index}-${count}`);
        if (response.status !== 200) return response;
      }
    }),
  );
}

async function keysUnder({ storage }: SharedStore, text: string): Promise<string[]> {
  const { entries } = await storage.range({ start: '/registry/', end: '/registry0' });
  return entries.map(({ key }) => key).filter((key) => key.includes(text));
}

const widgets = '/apis/example.com/v1/namespaces/default/widgets';

async function established({ api }: SharedServer): Promise<void> {
  await vi.waitFor(async () => expect((await api.get(widgets)).status).toBe(200));
}

/** Tests for namespaces and definitions on servers that share a store. */
export function describeEndings(newStore: NewStore): void {
  const started = startForSuite(newStore, 3, () => ({ controllers: ['namespace-controller'], timings }));

  it('leaves nothing in a namespace that one server deletes while others create in it', async () => {
    const { store, servers } = started();
    const first = servers[0]!;
    await first.api.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
    const path = '/api/v1/namespaces/ending';
    const refused = untilRefused(servers, ({ api }, name) => api.post(`${path}/configmaps`, { metadata: { name } }));
    expect((await first.api.delete(path)).status).toBe(200);
    for (const { status } of await refused) expect([403, 404]).toContain(status);
    await vi.waitFor(async () => expect((await first.api.get(path)).status).toBe(404));
    expect(await keysUnder(store, '/ending')).toEqual([]);
    const late = ({ api }: SharedServer) => api.post(`${path}/configmaps`, { metadata: { name: 'late' } });
    for (const server of servers) expect((await late(server)).status).toBe(404);
    // A new namespace with the same name accepts objects on all servers immediately.
    await first.api.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
    const created = await Promise.all(servers.map(late));
    expect(created.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it('serves a definition on all servers, and writes its status once', async () => {
    const { servers } = started();
    const [first, second, third] = servers as readonly [SharedServer, SharedServer, SharedServer];
    await first.api.post(definitions, widgetDefinition);
    for (const server of servers) await established(server);
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    expect((await second.api.post(widgets, widget)).status).toBe(200);
    expect((await third.api.get(`${widgets}/w`)).status).toBe(200);
    const read = async () => (await first.api.get(`${definitions}/widgets.example.com`)).body;
    const { status, metadata } = await read();
    expect(status.storedVersions).toEqual(['v1']);
    // All servers register the type. After this, each of them has had time to overwrite changes of the others.
    const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com';
    for (const { api } of servers) await vi.waitFor(async () => expect((await api.get(apiService)).status).toBe(200));
    expect((await read()).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('adds a new storage version once, whichever server is used', async () => {
    const { servers } = started();
    await servers[0]!.api.post(definitions, widgetDefinition);
    for (const server of servers) await established(server);
    const [v1] = widgetDefinition.spec.versions;
    const versions = [
      { ...v1, storage: false },
      { ...v1, name: 'v2' },
    ];
    const results = await Promise.all(
      servers.map(({ api }) => api.patch(`${definitions}/widgets.example.com`, { spec: { versions } })),
    );
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { api } of servers) {
      const { body } = await api.get(`${definitions}/widgets.example.com`);
      expect(body.status.storedVersions).toEqual(['v1', 'v2']);
    }
  });

  it('leaves no object of a definition that one server deletes while others create objects', async () => {
    const { store, servers } = started();
    const first = servers[0]!;
    await first.api.post(definitions, widgetDefinition);
    for (const server of servers) await established(server);
    const refused = untilRefused(servers, ({ api }, name) =>
      api.post(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } }),
    );
    await first.api.delete(`${definitions}/widgets.example.com`);
    for (const { status } of await refused) expect([403, 404, 405]).toContain(status);
    await vi.waitFor(async () => expect((await first.api.get(`${definitions}/widgets.example.com`)).status).toBe(404));
    expect(await keysUnder(store, '/example.com/widgets/')).toEqual([]);
  });
}
