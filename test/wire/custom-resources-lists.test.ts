import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { cronTab, cronTabVersion, defineCronTabs, openSchema } from './crontabs.ts';

const group = 'lists.example.com';
let api: TestApi;
let path: string;
beforeAll(async () => {
  api = await TestApi.start();
  const versions = [{ ...cronTabVersion, schema: openSchema }];
  path = await defineCronTabs(api, { group, scope: 'Cluster', versions });
  // These fields sort before the fields that all objects have.
  await api.post(path, cronTab(group, 'a', { aaa: { uid: 'not the uid', list: [1, null, { x: 1.5 }] } }));
  await api.post(path, cronTab(group, 'b'));
});
afterAll(() => api.stop());

describe('the items of a list of custom objects', () => {
  it('are whole objects with kind and apiVersion', async () => {
    const one = await api.get(`${path}/a`);
    const { body } = await api.get(path);
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['a', 'b']);
    expect(body.items[0]).toEqual(one.body);
    expect(body.items[0]).toMatchObject({ kind: 'CronTab', apiVersion: `${group}/v1`, aaa: { uid: 'not the uid' } });
    expect(body.items[1]).toMatchObject({ kind: 'CronTab', apiVersion: `${group}/v1` });
  });

  it('have them in YAML, too', async () => {
    const { text } = await api.get(path, { headers: { accept: 'application/yaml' } });
    expect(text.match(/kind: CronTab$/gm)).toHaveLength(2);
  });

  it('have their versions in the metadata only', async () => {
    const { body } = await api.get(`${path}/a`);
    expect(body.aaa).toEqual({ uid: 'not the uid', list: [1, null, { x: 1.5 }] });
    expect(body.metadata.resourceVersion).toMatch(/^\d+$/);
  });

  it('are the same after their deletion as a collection', async () => {
    const { body: listed } = await api.get(path);
    const { status, body } = await api.delete(path);
    expect(status).toBe(200);
    expect(body.items).toEqual(listed.items);
  });
});
