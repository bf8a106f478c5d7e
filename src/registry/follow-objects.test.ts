import { expect, it, onTestFinished } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { serverUser } from '../meta/user.ts';
import { builtInResources } from '../resources/index.ts';
import { createMemoryStorage } from '../storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../store/index.ts';
import { ResourceSet } from './resource-set.ts';

const type = { group: '', version: 'v1', resource: 'namespaces' };

function namespaces() {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const storage = createMemoryStorage();
  const encoded = new RecentBytes(1_000_000);
  const open = (prefix: string) => new CachedObjectStore({ storage, prefix, encoded, signal: stop.signal });
  const store = open('/registry/namespaces/');
  const set = new ResourceSet({
    definitions: builtInResources,
    openStore: (prefix) => (prefix === '/registry/namespaces/' ? store : open(prefix)),
  });
  const { create } = set.find(type)!.verbs;
  const options = { encoding: 'json', dryRun: false, fieldValidation: 'Strict', fieldManager: 'm' } as const;
  const add = (name: string) =>
    create!({
      ...options,
      user: serverUser,
      namespace: '',
      name: '',
      body: Buffer.from(JSON.stringify({ metadata: { name } })),
      warn: () => {},
    });
  // Written directly to the store: namespaces of users wait for their finalizers.
  const remove = async (name: string) => {
    const key = `/registry/namespaces/${name}`;
    await store.update(key, () => ({ action: 'delete' }));
  };
  const picture = new Map<string, ResourceObject>();
  const errors: Error[] = [];
  /** The objects that existed each time when all objects had been reported. */
  const synced: string[][] = [];
  const follow = () =>
    set.follow(type, {
      onReset: () => picture.clear(),
      onSynced: () => synced.push([...picture.keys()]),
      onPut: (object) => picture.set(object.metadata.name!, object),
      onRemove: (object) => picture.delete(object.metadata.name!),
      onError: (error) => errors.push(error),
      signal: stop.signal,
    });
  return { storage, add, remove, follow, picture, errors, synced, stop };
}

it('reports all objects, and every change before its writer gets the response', async () => {
  const { add, remove, follow, picture, synced } = namespaces();
  await add('a');
  await follow();
  expect(synced).toEqual([['a']]);
  expect([...picture.keys()]).toEqual(['a']);
  // Checked in the first step after the response.
  await add('b').then(() => expect([...picture.keys()]).toEqual(['a', 'b']));
  await remove('a').then(() => expect([...picture.keys()]).toEqual(['b']));
});

it('reports nothing after its end', async () => {
  const { add, follow, picture, stop } = namespaces();
  await follow();
  stop.abort();
  await add('a').catch(() => {});
  expect(picture.size).toBe(0);
});

it('skips objects that cannot be read', async () => {
  const { storage, add, follow, picture, errors } = namespaces();
  await follow();
  await storage.commit({
    key: '/registry/namespaces/bad',
    expected: 0,
    value: Buffer.from('{"metadata":{"name":"bad","uid":"u"},x}'),
  });
  await add('good');
  expect([...picture.keys()]).toEqual(['good']);
  expect(errors).toHaveLength(1);
});
