import { expect, it } from 'vitest';
import { serverUser } from '../../meta/user.ts';
import { createMemoryStorage } from '../../storage/index.ts';
import { builtInSet } from './built-in-set.conformance.ts';
import { plainDelete } from './plain-requests.conformance.ts';

const key = '/registry/configmaps/default/broken';
const item = { namespace: 'default', name: 'broken', user: serverUser, warn: () => {} };

it.each([
  ['broken behind its uid', '{"kind":"ConfigMap","metadata":{"uid":"u"},'],
  ['no object at all', '[]'],
])('deletes an object that is %s, and only on request', async (_what, text) => {
  const storage = createMemoryStorage();
  await storage.commit({ key, expected: 0, value: Buffer.from(text) });
  const set = builtInSet({ storage });
  const { delete: remove } = set.find({ group: '', version: 'v1', resource: 'configmaps' })!.verbs;
  await expect(remove!({ ...item, options: plainDelete })).rejects.toThrow();
  expect(await storage.get(key)).toBeDefined();
  const result = await remove!({ ...item, options: { ...plainDelete, ignoreReadErrors: true } });
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
