import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, definitions, objectOf, pathOf, untilCondition } from './custom-types.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ controllers: ['namespace-controller', 'garbage-collector-controller'] });
});
afterAll(() => api.stop());

let count = 0;
const fresh = () => definitionOf({ singular: `fresh${++count}`, group: `fresh${count}.example.com` });

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Endpoints that must know a type as soon as its definition is established. */
const places: Record<string, (definition: ReturnType<typeof fresh>) => Promise<unknown>> = {
  async 'the list'(definition) {
    return (await api.get(pathOf(definition))).body.kind;
  },
  async 'a create'(definition) {
    return (await api.post(pathOf(definition), objectOf(definition, 'a'))).body.kind;
  },
  async 'a watch'(definition) {
    const watch = await api.watch(`${pathOf(definition)}?watch=1`);
    watch.close();
    return watch.status === 200 && definition.spec.names.kind;
  },
  async 'the list of groups'({ spec }) {
    const { groups } = (await api.get('/apis')).body;
    return groups.some(({ name }: { name: string }) => name === spec.group) && spec.names.kind;
  },
  async 'the resources of the version'({ spec }) {
    return (await api.get(`/apis/${spec.group}/v1`)).body.resources[0].kind;
  },
  async 'aggregated discovery'({ spec }) {
    const { items } = (await api.get('/apis', { headers: { accept: aggregated } })).body;
    const group = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === spec.group);
    return group.versions[0].resources[0].responseKind.kind;
  },
  async 'OpenAPI v2'({ spec }) {
    const { body } = await api.get('/openapi/v2');
    return body.paths[`/apis/${spec.group}/v1/namespaces/{namespace}/${spec.names.plural}`].get[
      'x-kubernetes-group-version-kind'
    ].kind;
  },
  async 'OpenAPI v3'({ spec }) {
    const { paths } = (await api.get('/openapi/v3')).body;
    const { body } = await api.get(paths[`apis/${spec.group}/v1`].serverRelativeURL);
    return body.paths[`/apis/${spec.group}/v1/namespaces/{namespace}/${spec.names.plural}`].get[
      'x-kubernetes-group-version-kind'
    ].kind;
  },
  async 'a table'(definition) {
    const { body } = await api.get(pathOf(definition), { headers: { accept: table } });
    return body.kind === 'Table' && definition.spec.names.kind;
  },
};

it.each(Object.keys(places))('%s knows a type as soon as its definition is established', async (place) => {
  // Responses that were cached before the type exists must not be used afterwards.
  const known = fresh();
  await define(api, known);
  await places[place]!(known);
  const definition = fresh();
  await define(api, definition);
  const { kind, listKind } = definition.spec.names;
  expect([kind, listKind]).toContain(await places[place]!(definition));
});

it('a definition is created without conditions, and its next version is established', async () => {
  const definition = fresh();
  const { name } = definition.metadata;
  const watch = await api.watch(`${definitions}?watch=1&fieldSelector=metadata.name=${name}`);
  const { body: created } = await api.post(definitions, definition);
  expect(created.status.conditions ?? []).toEqual([]);
  const events = [await watch.next(), await watch.next()];
  watch.close();
  expect(events.map((event) => [event?.type, event?.object.status.conditions?.length ?? 0])).toEqual([
    ['ADDED', 0],
    ['MODIFIED', 2],
  ]);
  const versions = events.map((event) => Number(event?.object.metadata.resourceVersion));
  expect(versions[0]).toBe(Number(created.metadata.resourceVersion));
  expect(versions[1]).toBeGreaterThan(versions[0]!);
  const managers = events[1]?.object.metadata.managedFields.map(
    ({ subresource }: { subresource?: string }) => subresource,
  );
  expect(new Set(managers)).toEqual(new Set([undefined, 'status']));
  const present = (await api.get(`${definitions}/${name}`)).body;
  expect(present).toEqual(events[1]?.object);
});

it('one definition is established if several are created at the same time with the same names', async () => {
  const kinds = Array.from({ length: 5 }, (_, index) => {
    const definition = definitionOf({ singular: `rival${index}`, group: 'rivals.example.com' });
    return { ...definition, spec: { ...definition.spec, names: { ...definition.spec.names, kind: 'Rival' } } };
  });
  await Promise.all(kinds.map((definition) => api.post(definitions, definition)));
  const isEstablished = async ({ metadata }: { metadata: { name: string } }): Promise<string | undefined> => {
    const { conditions = [] } = (await api.get(`${definitions}/${metadata.name}`)).body.status;
    return conditions.find(({ type }: { type: string }) => type === 'Established')?.status;
  };
  await expect
    .poll(async () => (await Promise.all(kinds.map(isEstablished))).toSorted())
    .toEqual(['False', 'False', 'False', 'False', 'True']);
});

it('the deletion of a namespace deletes objects of a type that has just been established', async () => {
  const namespace = 'short-lived';
  await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
  const definition = fresh();
  await define(api, definition);
  const path = pathOf(definition, { namespace });
  expect((await api.post(path, objectOf(definition, 'a'))).status).toBe(200);
  await api.delete(`/api/v1/namespaces/${namespace}`);
  await expect.poll(async () => (await api.get(`/api/v1/namespaces/${namespace}`)).status).toBe(404);
  expect((await api.get(pathOf(definition, { namespace: '' }))).body.items).toEqual([]);
});

it('the garbage collector learns of a type when it is established', async () => {
  const definition = fresh();
  await define(api, definition);
  const path = pathOf(definition);
  const owner = (await api.post(path, objectOf(definition, 'owner'))).body;
  const { apiVersion, kind, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true }];
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const dependent = { metadata: { name: 'owned', ownerReferences } };
  await api.post(configMaps, dependent);
  await api.post(path, { ...objectOf(definition, 'owned'), ...dependent });
  await api.delete(`${path}/owner?propagationPolicy=Foreground`);
  const all = [`${configMaps}/owned`, `${path}/owned`, `${path}/owner`];
  await expect
    .poll(async () => Promise.all(all.map(async (each) => (await api.get(each)).status)))
    .toEqual([404, 404, 404]);
});

it('a definition that was deleted is unknown everywhere at once', async () => {
  const definition = fresh();
  await define(api, definition);
  for (const read of Object.values(places)) await read(definition);
  const watch = await api.watch(`${definitions}?watch=1&fieldSelector=metadata.name=${definition.metadata.name}`);
  await api.delete(`${definitions}/${definition.metadata.name}`);
  while ((await watch.next())?.type !== 'DELETED');
  watch.close();
  const { group, names } = definition.spec;
  expect((await api.get(pathOf(definition))).status).toBe(404);
  expect((await api.get(`/apis/${group}/v1`)).status).toBe(404);
  expect((await api.get('/apis')).text).not.toContain(group);
  expect((await api.get('/apis', { headers: { accept: aggregated } })).text).not.toContain(group);
  expect((await api.get('/openapi/v2')).text).not.toContain(`${group}/v1/${names.plural}`);
  expect((await api.get('/openapi/v3')).text).not.toContain(group);
});

it('a definition whose conversion webhook has no valid certificates is not established until it has', async () => {
  const service = { namespace: 'default', name: 'absent' };
  const webhook = { clientConfig: { service, caBundle: 'Cg==' }, conversionReviewVersions: ['v1'] };
  const definition = definitionOf({ singular: 'unsafe', conversion: { strategy: 'Webhook', webhook } });
  expect((await api.post(definitions, definition)).status).toBe(200);
  await untilCondition(api, definition, { type: 'Established', status: 'False', reason: 'InvalidCABundle' });
  expect((await api.get(pathOf(definition))).status).toBe(404);
  await api.patch(`${definitions}/${definition.metadata.name}`, {
    spec: { conversion: { webhook: null, strategy: 'None' } },
  });
  await untilCondition(api, definition, { type: 'Established', status: 'True' });
  await expect.poll(async () => (await api.get(pathOf(definition))).status).toBe(200);
});
