import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApiError, Client } from '../../client/index.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import { type Server, startServer } from '../../server/index.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const clusterRoles = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const events = { group: '', version: 'v1', resource: 'events' };

interface Family {
  readonly client: Client;
  readonly errors: string[];
  make(name: string, owners?: Owner[], more?: Partial<ResourceObject['metadata']>): Promise<ResourceObject>;
  remove(name: string, propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'): Promise<unknown>;
  read(name: string): Promise<ResourceObject>;
  isGone(...names: string[]): Promise<void>;
}

type Owner = ResourceObject | OwnerReference;

function referenceTo(owner: Owner, more: Partial<OwnerReference> = {}): OwnerReference {
  if (!('metadata' in owner)) return owner as OwnerReference;
  const { kind = '', apiVersion = '', metadata } = owner as ResourceObject;
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...more };
}

const blocking = (owner: ResourceObject) => referenceTo(owner, { blockOwnerDeletion: true });

const errors: string[] = [];
let server: Server;
beforeAll(async () => {
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  server = await startServer({
    storage: 'memory',
    log: { info: () => {}, error, flush: () => Promise.resolve() },
    controllers: ['garbage-collector-controller'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
});
afterAll(() => server.stop());

let families = 0;
/** The namespace of the running test. */
let namespace = '';

async function family(): Promise<Family> {
  errors.length = 0;
  namespace = `family-${families++}`;
  const { client } = server;
  await client.resource({ ...configMaps, resource: 'namespaces' }).create({ metadata: { name: namespace } });
  const items = client.resource(configMaps, namespace);
  const read = (name: string) => items.get(name);
  return {
    client,
    errors,
    make: (name, owners = [], more = {}) =>
      items.create({ metadata: { name, ownerReferences: owners.map((owner) => referenceTo(owner)), ...more } }),
    remove: (name, propagationPolicy) => items.delete(name, { propagationPolicy }),
    read,
    isGone: (...names) =>
      vi.waitFor(
        async () => {
          for (const name of names) await expect(read(name)).rejects.toMatchObject({ code: 404 });
        },
        { interval: 5 },
      ),
  };
}

describe('deletes in the background', () => {
  it('objects that have lost their only owner, recursively', async () => {
    const { make, remove, isGone, read, errors } = await family();
    const owner = await make('owner');
    const child = await make('child', [owner]);
    await make('grandchild', [child]);
    await make('stranger');
    await remove('owner');
    await isGone('child', 'grandchild');
    expect((await read('stranger')).metadata.name).toBe('stranger');
    expect(errors).toEqual([]);
  });

  it('nothing that has another owner, and removes the reference', async () => {
    const { make, remove, isGone, read } = await family();
    const [first, second] = [await make('first'), await make('second')];
    await make('child', [first, second]);
    await remove('first');
    await vi.waitFor(async () => expect((await read('child')).metadata.ownerReferences).toEqual([referenceTo(second)]));
    await remove('second');
    await isGone('child');
  });

  it('dependents of an owner that never existed or has another uid', async () => {
    const { make, isGone, client } = await family();
    const uid = '00000000-0000-0000-0000-000000000001';
    const owner = await make('owner');
    await make('orphan', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid }]);
    await make('mistaken', [{ ...referenceTo(owner), uid }]);
    await isGone('orphan', 'mistaken');
    expect(await client.resource(configMaps, namespace).get('owner')).toBeDefined();
  });

  it('dependents of an owner in another namespace', async () => {
    const { make, isGone, client } = await family();
    const elsewhere = await client.resource(configMaps, 'kube-public').create({ metadata: { name: 'elsewhere' } });
    await make('child', [elsewhere]);
    await isGone('child');
  });

  it('no dependents of an existing cluster-scoped owner', async () => {
    const { make, remove, isGone, read, client } = await family();
    const role = await client.resource(clusterRoles).create({ metadata: { name: 'owner' } });
    await make('child', [role]);
    const marker = await make('marker');
    await make('marked', [marker]);
    await remove('marker');
    await isGone('marked');
    expect((await read('child')).metadata.ownerReferences).toEqual([referenceTo(role)]);
    await client.resource(clusterRoles).delete('owner');
    await isGone('child');
  });
});

it('leaves objects with impossible owners alone and records an event', async () => {
  const { make, client } = await family();
  const owner = await make('owner');
  const roles = client.resource(clusterRoles);
  await roles.create({ metadata: { name: 'child', ownerReferences: [referenceTo(owner)] } });
  await vi.waitFor(async () => {
    await client
      .resource(configMaps, namespace)
      .delete('owner')
      .catch(() => {});
    // Events about cluster-scoped objects are in the namespace `default`.
    const { items } = await client.resource(events, 'default').list();
    expect(items).toMatchObject([
      { reason: 'OwnerRefInvalidNamespace', type: 'Warning', involvedObject: { kind: 'ClusterRole', name: 'child' } },
    ]);
  });
  expect(await roles.get('child')).toBeDefined();
});

it('leaves objects with owners of unknown kinds alone', async () => {
  const { make, remove, isGone, read } = await family();
  await make('child', [{ apiVersion: 'example.com/v1', kind: 'Gadget', name: 'a', uid: 'b' }]);
  const marker = await make('marker');
  await make('marked', [marker]);
  await remove('marker');
  await isGone('marked');
  expect((await read('child')).metadata.ownerReferences).toHaveLength(1);
});

describe('deletes in the foreground', () => {
  it('dependents before their owner, which waits for blocking ones', async () => {
    const { make, remove, isGone, read, client } = await family();
    const owner = await make('owner');
    await make('blocking', [blocking(owner)], { finalizers: ['example.com/hold'] });
    await make('other', [owner]);
    await remove('owner', 'Foreground');
    await isGone('other');
    await vi.waitFor(async () => expect((await read('blocking')).metadata.deletionTimestamp).toBeDefined());
    expect((await read('owner')).metadata.finalizers).toEqual(['foregroundDeletion']);
    await client.resource(configMaps, namespace).patch('blocking', { metadata: { finalizers: null } });
    await isGone('blocking', 'owner');
  });

  it('an owner at once when no dependent blocks it', async () => {
    const { make, remove, isGone, read } = await family();
    const owner = await make('owner');
    await make('held', [owner], { finalizers: ['example.com/hold'] });
    await remove('owner', 'Foreground');
    await isGone('owner');
    await vi.waitFor(async () => expect((await read('held')).metadata.deletionTimestamp).toBeDefined());
  });

  it('whole trees', async () => {
    const { make, remove, isGone } = await family();
    const root = await make('root');
    const left = await make('left', [blocking(root)]);
    const right = await make('right', [blocking(root)]);
    await make('below', [blocking(left), blocking(right)]);
    await remove('root', 'Foreground');
    await isGone('below', 'left', 'right', 'root');
  });

  it('but not dependents that have another owner', async () => {
    const { make, remove, isGone, read } = await family();
    const [first, second] = [await make('first'), await make('second')];
    await make('child', [blocking(first), blocking(second)]);
    await remove('first', 'Foreground');
    await isGone('first');
    expect((await read('child')).metadata.ownerReferences).toEqual([blocking(second)]);
  });

  it.each([1, 2, 3])('a cycle of %i', async (length) => {
    const { make, remove, isGone, client } = await family();
    const names = Array.from({ length }, (_, index) => `c${index}`);
    const items = [];
    for (const name of names) items.push(await make(name));
    for (const [index, item] of items.entries()) {
      const ownerReferences = [blocking(items[(index + 1) % length]!)];
      await client.resource(configMaps, namespace).patch(item.metadata.name!, { metadata: { ownerReferences } });
    }
    await remove('c0', 'Foreground');
    await isGone(...names);
  });
});

describe('releases', () => {
  it('the dependents of an owner that is deleted with Orphan', async () => {
    const { make, remove, isGone, read } = await family();
    const owner = await make('owner');
    const child = await make('child', [owner]);
    await make('grandchild', [child]);
    await remove('owner', 'Orphan');
    await isGone('owner');
    expect((await read('child')).metadata.ownerReferences).toBeUndefined();
    expect((await read('grandchild')).metadata.ownerReferences).toEqual([referenceTo(child)]);
  });

  it('also dependents that were created just before', async () => {
    const { make, remove, isGone, read, client } = await family();
    for (let round = 0; round < 10; round++) {
      const owner = await make(`owner${round}`);
      const made = Array.from({ length: 5 }, (_, index) => make(`child${round}-${index}`, [owner]));
      const role = client
        .resource({ ...configMaps, resource: 'secrets' }, namespace)
        .create({ metadata: { name: `child${round}`, ownerReferences: [referenceTo(owner)] } });
      await Promise.all([...made, role]);
      await remove(`owner${round}`, 'Orphan');
    }
    await isGone(...Array.from({ length: 10 }, (_, round) => `owner${round}`));
    const marker = await make('marker');
    await make('marked', [marker]);
    await remove('marker');
    await isGone('marked');
    for (let round = 0; round < 10; round++) {
      for (let index = 0; index < 5; index++) {
        expect((await read(`child${round}-${index}`)).metadata.ownerReferences).toBeUndefined();
      }
    }
  });
});

it('collects hundreds of dependents of one owner', async () => {
  const { make, remove, client } = await family();
  const owner = await make('owner');
  const items = client.resource(configMaps, namespace);
  const names = Array.from({ length: 300 }, (_, index) => `child${index}`).values();
  const worker = async (): Promise<void> => {
    for (const name of names) await make(name, [blocking(owner)]);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  await remove('owner', 'Foreground');
  await vi.waitFor(async () => expect(await items.get('owner').catch((error: ApiError) => error.code)).toBe(404), {
    interval: 50,
  });
  expect((await items.list()).items).toEqual([]);
});

it('is not blocked by objects with impossible owners', async () => {
  const { make, remove, isGone, client } = await family();
  const owner = await make('owner');
  const roles = client.resource(clusterRoles);
  const role = await roles.create({ metadata: { name: 'owner' } });
  const ownerReferences = [blocking(owner), blocking(role)];
  const child = await roles.create({ metadata: { name: 'blocked', ownerReferences } });
  await remove('owner', 'Foreground');
  await isGone('owner');
  await roles.delete('owner', { propagationPolicy: 'Foreground' });
  await vi.waitFor(() => expect(roles.get('owner')).rejects.toMatchObject({ code: 404 }));
  expect((await roles.get('blocked')).metadata.uid).toBe(child.metadata.uid);
});
