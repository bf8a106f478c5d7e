import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineResource, serveExtension } from '../../src/extension-server/index.ts';
import { ScrapedMetrics } from '../wire/scraped-metrics.ts';
import { type ExtensionApi, startExtension } from './extension-api.ts';

const path = '/apis/example.com/v1/namespaces/default/waits';
const as = (user: string) => ({ headers: { 'impersonate-user': user } });
let extension: ExtensionApi;
/** Resumes the waiting list. */
let resume = (): void => {};
let isWaiting = false;

const waits = defineResource<{ readonly metadata: { readonly name: string } }>({
  kind: 'Wait',
  plural: 'waits',
  backend: {
    list: async ({ user }) => {
      if (user?.name !== 'jane') return [];
      isWaiting = true;
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
      isWaiting = false;
      return [];
    },
    create: ({ object }) => object,
  },
});

beforeAll(async () => {
  extension = await startExtension((cluster) =>
    serveExtension({ group: 'example.com', version: 'v1', resources: [waits], cluster, maxRequestsInFlight: 1 }),
  );
  const { cluster } = extension;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rules = [{ apiGroups: ['example.com'], resources: ['waits'], verbs: ['list'] }];
  await cluster.post(`${rbac}/clusterroles`, { metadata: { name: 'waits' }, rules });
  for (const role of ['waits', 'system:monitoring']) {
    const name = role === 'waits' ? 'jane' : 'reader';
    await cluster.post(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', name }],
    });
  }
});
afterAll(() => extension.stop());

describe('an extension server', () => {
  it('refuses more requests than may run at a time, but not those of administrators', async () => {
    const { api } = extension;
    const waiting = api.get(path, as('jane'));
    await expect.poll(() => isWaiting).toBe(true);
    const refused = await api.get(path, as('jane'));
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect((await api.get(path)).status).toBe(200);
    resume();
    expect((await waiting).status).toBe(200);
  });

  it('counts its requests', async () => {
    const { api } = extension;
    const of = { verb: 'LIST', group: 'example.com', version: 'v1', resource: 'waits', scope: 'namespace' };
    const before = await ScrapedMetrics.of(api);
    await api.get(path);
    await api.get(path);
    await api.post(path, { apiVersion: 'example.com/v1', kind: 'Wait', metadata: { name: 'a' } });
    const after = await ScrapedMetrics.of(api);
    const grown = (name: string, labels: Readonly<Record<string, string>>): number =>
      after.value(name, labels) - before.value(name, labels);
    expect(grown('apiserver_request_total', { ...of, code: '200' })).toBe(2);
    expect(grown('apiserver_request_total', { ...of, verb: 'POST', scope: 'resource', code: '201' })).toBe(1);
    expect(grown('apiserver_request_duration_seconds_count', of)).toBe(2);
    expect(after.value('apiserver_request_total', { ...of, code: '429' })).toBe(1);
    expect(
      after.value('rest_client_requests_total', { host: new URL(extension.cluster.server.url).host }),
    ).toBeGreaterThan(0);
    expect(after.value('apiserver_delegated_authz_request_total')).toBeGreaterThan(0);
    await api.get('/readyz');
    expect((await ScrapedMetrics.of(api, '/metrics/slis')).names).toContain('kubernetes_healthcheck');
  });

  it.each([
    ['jane', 403],
    ['reader', 200],
  ])('serves metrics with the permission to read them: %s', async (user, status) => {
    expect((await extension.api.get('/metrics', as(user))).status).toBe(status);
  });
});
