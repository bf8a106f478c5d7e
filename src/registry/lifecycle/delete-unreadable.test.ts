import { expect, it, onTestFinished } from 'vitest';
import { builtInResources } from '../../resources/index.ts';
import { createMemoryStorage } from '../../storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../../store/index.ts';
import { ResourceSet } from '../resource-set.ts';

const key = '/registry/configmaps/default/broken';
const options = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  preconditions: undefined,
};
const item = { namespace: 'default', name: 'broken', warn: () => {} };

it('takes an object away that cannot be read, and only when asked to', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const storage = createMemoryStorage();
  await storage.commit({ key, expected: 0, value: Buffer.from('{"kind":"ConfigMap","metadata":{"uid":"u"},') });
  const encoded = new RecentBytes(1_000_000);
  const set = new ResourceSet({
    definitions: builtInResources,
    openStore: (prefix) => new CachedObjectStore({ storage, prefix, encoded, signal: stop.signal }),
  });
  const { delete: remove } = set.find({ group: '', version: 'v1', resource: 'configmaps' })!.verbs;
  await expect(remove!({ ...item, options })).rejects.toThrow();
  expect(await storage.get(key)).toBeDefined();
  const result = await remove!({ ...item, options: { ...options, ignoreReadErrors: true } });
  expect(result).toEqual({
    status: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'broken', kind: 'configmaps' },
      code: 200,
    },
  });
  expect(await storage.get(key)).toBeUndefined();
});
