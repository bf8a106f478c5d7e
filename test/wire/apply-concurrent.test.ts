import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

describe.each(['memory', 'embedded'] as const)('many writers at once, %s storage', (storage) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({ storage });
  });
  afterAll(() => api.stop());

  const managers = Array.from({ length: 10 }, (_, index) => `m${String(index).padStart(2, '0')}`);
  const apply = (manager: string, name: string, data: object, query = '') =>
    applyAs(api, manager, {
      path: `${configMaps}/${name}`,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
      query,
    });

  it('all get disjoint fields, and own them', async () => {
    await apply('first', 'disjoint', { first: '1' });
    const responses = await Promise.all(managers.map((manager) => apply(manager, 'disjoint', { [manager]: '1' })));
    expect(responses.map(({ status }) => status)).toEqual(managers.map(() => 200));
    expect(new Set(responses.map(({ body }) => body.metadata.resourceVersion)).size).toBe(managers.length);
    const { body } = await api.get(`${configMaps}/disjoint`);
    expect(body.data).toEqual(Object.fromEntries(['first', ...managers].map((manager) => [manager, '1'])));
    expect(ownersOf(body)).toEqual(['first', ...managers].map((manager) => `${manager}: .data.${manager}`));
  });

  it('create an object once: one creates it, the others find it', async () => {
    const responses = await Promise.all(managers.map((manager) => apply(manager, 'raced', { [manager]: '1' })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...managers.slice(1).map(() => 200), 201]);
    const { body } = await api.get(`${configMaps}/raced`);
    expect(ownersOf(body)).toEqual(managers.map((manager) => `${manager}: .data.${manager}`));
  });

  it('share a field if they write the same value', async () => {
    await apply('first', 'shared', { a: '1' });
    const responses = await Promise.all(managers.map((manager) => apply(manager, 'shared', { a: '1' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await api.get(`${configMaps}/shared`);
    expect(ownersOf(body)).toEqual(['first', ...managers].map((manager) => `${manager}: .data.a`));
  });

  it('compete for one field with different values: one wins, the others are in conflict with it', async () => {
    await apply('first', 'fought', { b: '1' });
    const responses = await Promise.all(managers.map((manager) => apply(manager, 'fought', { a: manager })));
    const winners = managers.filter((_, index) => responses[index]!.status === 200);
    expect(winners).toHaveLength(1);
    const lost = responses.filter(({ status }) => status === 409).map(({ body }) => body.message);
    const message = `Apply failed with 1 conflict: conflict with "${winners[0]}": .data.a`;
    expect(lost).toEqual(Array(managers.length - 1).fill(message));
  });

  it('have a field one after the other if they force, and the last one keeps it', async () => {
    await apply('first', 'forced', { b: '1' });
    const responses = await Promise.all(
      managers.map((manager) => apply(manager, 'forced', { a: manager }, '&force=true')),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await api.get(`${configMaps}/forced`);
    expect(ownersOf(body)).toEqual(['first: .data.b', `${body.data.a}: .data.a`]);
  });

  it('lose nothing of each other when they apply, patch and scale', async () => {
    const path = `${deployments}/busy`;
    const typed = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'busy' } };
    const template = (container: string) => ({
      template: { spec: { containers: [{ name: container, image: `example.com/${container}:1` }] } },
    });
    const spec = {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'example.com/c:1' }] },
      },
    };
    const { body: made } = await applyAs(api, 'first', { path, body: { ...typed, spec } });
    const { resourceVersion } = made.metadata;
    const watch = await api.watch(`${deployments}?watch=1&resourceVersion=${resourceVersion}`);
    onTestFinished(() => watch.close());
    const responses = await Promise.all([
      ...managers.map((manager) => applyAs(api, manager, { path, body: { ...typed, spec: template(manager) } })),
      ...managers.map((manager) =>
        api.patch(`${path}?fieldManager=p`, { metadata: { annotations: { [manager]: '1' } } }),
      ),
      api.patch(`${path}/scale?fieldManager=scaler`, { spec: { replicas: 7 } }),
      api.patch(`${path}/status?fieldManager=status`, { status: { replicas: 7 } }),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await api.get(path);
    const names = body.spec.template.spec.containers.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['main', ...managers].toSorted());
    expect(Object.keys(body.metadata.annotations).toSorted()).toEqual(managers);
    expect([body.spec.replicas, body.status.replicas]).toEqual([7, 7]);
    const owners = ownersOf(body);
    expect(owners).toContain('scaler/scale*: .spec.replicas');
    expect(owners).toContain('status/status*: .status.replicas');
    for (const manager of managers) {
      const element = `.spec.template.spec.containers[{"name":"${manager}"}]`;
      expect(owners).toContain(`${manager}: ${element} ${element}.image ${element}.name`);
    }
    expect(await watch.take(responses.length)).toEqual(responses.map(() => 'MODIFIED busy'));
  });
});
