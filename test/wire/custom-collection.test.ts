import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { type Definition, define, definitionOf, definitions, objectOf, pathOf } from './custom-types.ts';

let api: TestApi;
beforeAll(async () => {
  const controllers = ['garbage-collector-controller', 'namespace-controller', 'resourcequota-controller'];
  api = await TestApi.start({ controllers });
});
afterAll(() => api.stop());

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

const ownedBy = ({ apiVersion, kind, metadata: { name, uid } }: Owner) => ({
  metadata: { name: 'owned', ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion: true }] },
});

const gone = (...paths: string[]) =>
  expect.poll(() => Promise.all(paths.map(async (path) => (await api.get(path)).status))).toEqual(paths.map(() => 404));

async function createNamespace(name: string): Promise<string> {
  await api.post('/api/v1/namespaces', { metadata: { name } });
  return `/api/v1/namespaces/${name}`;
}

async function switchOff({ metadata, spec }: Definition, off: string): Promise<void> {
  const versions = spec.versions.map((version) => ({ ...version, served: version.name !== off }));
  await api.patch(`${definitions}/${metadata.name}`, { spec: { versions } });
}

describe('owners and dependents', () => {
  it.each(['Background', 'Foreground'])(
    'are deleted together if their types are custom and built-in: %s',
    async (policy) => {
      const namespace = `owners-${policy.toLowerCase()}`;
      const core = await createNamespace(namespace);
      const boats = definitionOf({ singular: 'boat', group: `${namespace}.example.com` });
      const sails = definitionOf({ singular: 'sail', group: `${namespace}.example.com` });
      await define(api, boats);
      await define(api, sails);
      const [boatPath, sailPath] = [pathOf(boats, { namespace }), pathOf(sails, { namespace })];
      // A config map owns a boat, which owns a sail, which owns a secret.
      const root = (
        await api.post(`${core}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'root' } })
      ).body;
      const boat = (
        await api.post(boatPath, {
          ...objectOf(boats, ''),
          ...ownedBy({ apiVersion: 'v1', kind: 'ConfigMap', ...root }),
        })
      ).body;
      const sail = (await api.post(sailPath, { ...objectOf(sails, ''), ...ownedBy(boat) })).body;
      await api.post(`${core}/secrets`, ownedBy(sail));
      const all = [`${core}/configmaps/root`, `${boatPath}/owned`, `${sailPath}/owned`, `${core}/secrets/owned`];
      for (const path of all) expect((await api.get(path)).status).toBe(200);
      await api.delete(`${all[0]}?propagationPolicy=${policy}`);
      await gone(...all);
    },
  );

  it('part when the owner is deleted alone', async () => {
    const definition = definitionOf({ singular: 'lone' });
    await define(api, definition);
    const owner = (await api.post(pathOf(definition), objectOf(definition, 'owner'))).body;
    await api.post('/api/v1/namespaces/default/configmaps', ownedBy(owner));
    await api.delete(`${pathOf(definition)}/owner?propagationPolicy=Orphan`);
    await gone(`${pathOf(definition)}/owner`);
    const { metadata } = (await api.get('/api/v1/namespaces/default/configmaps/owned')).body;
    expect(metadata.ownerReferences).toBeUndefined();
  });

  it('are known in another version when the first is switched off', async () => {
    const definition = definitionOf({ singular: 'moving', versions: ['v2', 'v1'] });
    const namespace = 'moving';
    const core = await createNamespace(namespace);
    await define(api, definition);
    const old = (await api.post(pathOf(definition, { namespace }), objectOf(definition, 'old'))).body;
    await api.post(`${core}/configmaps`, ownedBy(old));
    await switchOff(definition, 'v2');
    await switchOff(definition, 'v1');
    const path = pathOf(definition, { namespace, version: 'v2' });
    const owner = (await api.post(path, objectOf(definition, 'new', {}, 'v2'))).body;
    await api.post(`${core}/secrets`, ownedBy(owner));
    await api.delete(`${path}/old`);
    await api.delete(`${path}/new`);
    await gone(`${core}/configmaps/owned`, `${core}/secrets/owned`);
  });

  it('objects go with the definition that defines their owners', async () => {
    const definition = definitionOf({ singular: 'parent' });
    await define(api, definition);
    const secrets = '/api/v1/namespaces/default/secrets';
    // The collector follows the type after it has collected a dependent of one of its objects.
    const first = (await api.post(pathOf(definition), objectOf(definition, 'first'))).body;
    await api.post(secrets, ownedBy(first));
    await api.delete(`${pathOf(definition)}/first`);
    await gone(`${secrets}/owned`);
    const owner = (await api.post(pathOf(definition), objectOf(definition, 'owner'))).body;
    await api.post(secrets, ownedBy(owner));
    await api.delete(`${definitions}/${definition.metadata.name}`);
    await gone(`${definitions}/${definition.metadata.name}`, `${secrets}/owned`);
  });
});

describe('the deletion of a namespace', () => {
  it('waits for finalizers of custom objects, also when their version is switched off', async () => {
    const definition = definitionOf({ singular: 'anchor', versions: ['v1', 'v2'] });
    const core = await createNamespace('anchored');
    await define(api, definition);
    const place = { namespace: 'anchored' };
    const metadata = { name: 'a', finalizers: ['example.com/hold'] };
    await api.post(pathOf(definition, place), { ...objectOf(definition, 'a'), metadata });
    await api.delete(core);
    const conditions = async () =>
      ((await api.get(core)).body.status.conditions ?? []).map(({ type, status, message }: Record<string, string>) =>
        [type, status, message].join(' '),
      );
    await expect
      .poll(conditions)
      .toContain(
        'NamespaceContentRemaining True Some resources are remaining: anchors.example.com has 1 resource instances',
      );
    await switchOff(definition, 'v2');
    const path = `${pathOf(definition, place)}/a`;
    await switchOff(definition, 'v1');
    const other = `${pathOf(definition, { ...place, version: 'v2' })}/a`;
    expect([(await api.get(path)).status, (await api.get(other)).status]).toEqual([404, 200]);
    await api.patch(other, { metadata: { finalizers: null } });
    await gone(core);
  });
});

describe('a quota', () => {
  const limit = 'count/coins.example.com';
  it('counts objects of a type that is defined after it', async () => {
    const core = await createNamespace('rich');
    const quota = `${core}/resourcequotas/q`;
    await api.post(`${core}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { [limit]: '2' } } });
    const used = async () => (await api.get(quota)).body.status?.used?.[limit];
    const definition = definitionOf({ singular: 'coin', versions: ['v1', 'v2'] });
    await define(api, definition);
    await expect.poll(used).toBe('0');
    const path = pathOf(definition, { namespace: 'rich' });
    for (const name of ['a', 'b']) expect((await api.post(path, objectOf(definition, name))).status).toBe(200);
    expect((await api.post(path, objectOf(definition, 'c'))).body.message).toBe(
      'coins.example.com "c" is forbidden: exceeded quota: q, requested: count/coins.example.com=1, used: count/coins.example.com=2, limited: count/coins.example.com=2',
    );
    await api.delete(`${path}/a`);
    await expect.poll(used).toBe('1');
    // The objects are the same in another version.
    await switchOff(definition, 'v1');
    const other = pathOf(definition, { namespace: 'rich', version: 'v2' });
    expect((await api.post(other, objectOf(definition, 'c', {}, 'v2'))).status).toBe(200);
    await api.delete(`${other}/b`);
    await api.delete(`${other}/c`);
    await expect.poll(used).toBe('0');
  });
});
