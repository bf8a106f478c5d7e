import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import {
  type Definition,
  define,
  definitionOf,
  definitions,
  objectOf,
  pathOf,
  untilCondition,
} from './custom-types.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const finalizers = ['example.com/hold'];

async function removed({ metadata }: Definition): Promise<void> {
  await expect.poll(async () => (await api.get(`${definitions}/${metadata.name}`)).status).toBe(404);
}

describe('a definition that is deleted while a finalizer holds an object', () => {
  it('goes after its objects, and can be created again', async () => {
    const definition = definitionOf({ singular: 'held' });
    const path = pathOf(definition);
    await define(api, definition);
    const { uid } = (await api.get(`${definitions}/${definition.metadata.name}`)).body.metadata;
    const first = (await api.post(path, { ...objectOf(definition, 'held'), metadata: { name: 'held', finalizers } }))
      .body;
    await api.post(path, objectOf(definition, 'free'));
    const watch = await api.watch(`${path}?watch=1&resourceVersion=${first.metadata.resourceVersion}`);
    expect(await watch.take(1)).toEqual(['ADDED free']);

    const deleted = (await api.delete(`${definitions}/${definition.metadata.name}`)).body;
    expect(deleted.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    await untilCondition(api, definition, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
    });
    expect((await watch.take(2)).sort()).toEqual(['DELETED free', 'MODIFIED held']);

    // No new objects can be created, but existing ones can be read and changed. Otherwise they could not be deleted.
    expect((await api.post(path, objectOf(definition, 'late'))).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'helds.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
    });
    const apply = { body: objectOf(definition, 'late'), headers: { 'content-type': 'application/apply-patch+yaml' } };
    expect((await api.call('PATCH', `${path}/late?fieldManager=x`, apply)).status).toBe(403);
    expect((await api.get(path)).body.items).toHaveLength(1);
    expect((await api.get(`${definitions}/${definition.metadata.name}`)).body.metadata.uid).toBe(uid);
    expect((await api.patch(`${path}/held`, { metadata: { finalizers: null } })).status).toBe(200);
    expect(await watch.take(2)).toEqual(['DELETED held', 'END']);
    expect(watch.endedCleanly).toBe(true);
    await removed(definition);
    expect((await api.get(path)).status).toBe(404);

    await define(api, definition);
    expect((await api.get(path)).body.items).toEqual([]);
    expect((await api.post(path, objectOf(definition, 'held'))).body.metadata.uid).not.toBe(first.metadata.uid);
  });

  it('discovery lists the verbs that are still possible', async () => {
    const definition = definitionOf({ singular: 'ending', group: 'ending.example.com' });
    const path = pathOf(definition);
    await define(api, definition);
    await api.post(path, { ...objectOf(definition, 'a'), metadata: { name: 'a', finalizers } });
    await api.delete(`${definitions}/${definition.metadata.name}`);
    const { resources } = (await api.get('/apis/ending.example.com/v1')).body;
    expect(resources[0].verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
    await api.patch(`${path}/a`, { metadata: { finalizers: null } });
    await removed(definition);
  });
});

/** Deletes a definition that another finalizer holds. Returns its last condition and the reasons before. */
async function terminated(definition: Definition) {
  const path = `${definitions}/${definition.metadata.name}`;
  const { metadata } = (await api.patch(path, { metadata: { finalizers } })).body;
  const selector = `fieldSelector=metadata.name=${definition.metadata.name}`;
  const watch = await api.watch(`${definitions}?watch=1&resourceVersion=${metadata.resourceVersion}&${selector}`);
  await api.delete(path);
  const reasons: string[] = [];
  for (;;) {
    const { object } = (await watch.next())!;
    const condition = object.status.conditions.find(({ type }: { type: string }) => type === 'Terminating');
    reasons.push(condition.reason);
    if (condition.status === 'True') continue;
    watch.close();
    expect(object.metadata.finalizers).toEqual(finalizers);
    expect((await api.patch(path, { metadata: { finalizers: null } })).status).toBe(200);
    await removed(definition);
    return { reasons, condition };
  }
}

describe('a definition that another finalizer holds', () => {
  it('shows that its objects are gone', async () => {
    const definition = definitionOf({ singular: 'guarded' });
    await define(api, definition);
    await api.post(pathOf(definition), objectOf(definition, 'a'));
    const { reasons, condition } = await terminated(definition);
    expect(reasons).toEqual(['InstanceDeletionPending', 'InstanceDeletionInProgress', 'InstanceDeletionCompleted']);
    expect(condition).toMatchObject({ status: 'False', message: 'removed all instances' });
  });

  it('shows that it had no objects because its names were taken', async () => {
    await define(api, definitionOf({ singular: 'owner', group: 'taken.example.com' }));
    const second = definitionOf({ singular: 'other', group: 'taken.example.com', names: { kind: 'Owner' } });
    await api.post(definitions, second);
    await untilCondition(api, second, { type: 'NamesAccepted', status: 'False' });
    const { reasons, condition } = await terminated(second);
    expect(reasons).toEqual(['InstanceDeletionPending', 'InstanceDeletionInProgress', 'NeverEstablished']);
    expect(condition).toMatchObject({ status: 'False', message: 'resource was never established' });
  });
});

it('objects of several namespaces go with their definition', async () => {
  const definition = definitionOf({ singular: 'spread' });
  await define(api, definition);
  for (const namespace of ['spread-a', 'spread-b']) {
    await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
    for (const name of ['a', 'b']) await api.post(pathOf(definition, { namespace }), objectOf(definition, name));
  }
  await api.delete(`${definitions}/${definition.metadata.name}`);
  await removed(definition);
  await define(api, definition);
  expect((await api.get(pathOf(definition, { namespace: '' }))).body.items).toEqual([]);
});

it('objects go with their definition even if no version is served', async () => {
  const definition = definitionOf({ singular: 'unserved', scope: 'Cluster' });
  const path = pathOf(definition);
  await define(api, definition);
  await api.post(path, objectOf(definition, 'a'));
  const versions = definition.spec.versions.map((version) => ({ ...version, served: false }));
  await api.patch(`${definitions}/${definition.metadata.name}`, { spec: { versions } });
  expect((await api.get(path)).status).toBe(404);
  await api.delete(`${definitions}/${definition.metadata.name}`);
  await removed(definition);
  await define(api, definition);
  expect((await api.get(path)).body.items).toEqual([]);
});

it('creates that race with the deletion leave nothing behind', async () => {
  const definition = definitionOf({ singular: 'raced' });
  const path = pathOf(definition);
  await define(api, definition);
  const creates = Array.from({ length: 10 }, (_, index) => api.post(path, objectOf(definition, `a${index}`)));
  const deletion = api.delete(`${definitions}/${definition.metadata.name}`);
  const more = Array.from({ length: 10 }, (_, index) => api.post(path, objectOf(definition, `b${index}`)));
  const statuses = new Set((await Promise.all([...creates, ...more])).map(({ status }) => status));
  for (const status of statuses) expect([200, 403, 404]).toContain(status);
  await deletion;
  await removed(definition);
  await define(api, definition);
  expect((await api.get(path)).body.items).toEqual([]);
});

describe('a definition that is terminating while another finalizer holds it', () => {
  it('can be seen to terminate by a client that polls, and then takes objects again', async () => {
    const definition = definitionOf({ singular: 'polled' });
    await define(api, definition);
    const path = `${definitions}/${definition.metadata.name}`;
    await api.patch(path, { metadata: { finalizers } });
    const begin = performance.now();
    await api.delete(path);
    await untilCondition(api, definition, { type: 'Terminating', status: 'False' });
    expect(performance.now() - begin).toBeGreaterThan(400);
    expect((await api.post(pathOf(definition), objectOf(definition, 'a'))).status).toBe(200);
    expect((await api.delete(`${pathOf(definition)}/a`)).status).toBe(200);
    expect((await api.patch(path, { metadata: { finalizers: null } })).status).toBe(200);
    await removed(definition);
  });
});
