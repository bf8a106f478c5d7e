import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { cronTab, defineCronTabs } from './crontabs.ts';

const group = 'owners.example.com';
let api: TestApi;
let path: string;
beforeAll(async () => {
  api = await TestApi.start();
  path = await defineCronTabs(api, { group });
});
afterAll(() => api.stop());

it('writers of the status of a custom object own nothing but the status', async () => {
  await api.post(`${path}?fieldManager=maker`, cronTab(group, 'x', { spec: { n: 1 } }));
  const change = { status: { ok: true }, spec: { n: 4 }, metadata: { labels: { a: 'b' } } };
  const { body } = await api.patch(`${path}/x/status?fieldManager=teller`, change);
  expect(body).toMatchObject({ spec: { n: 1 }, status: { ok: true } });
  expect(body.metadata.labels).toBeUndefined();
  const entry = body.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'teller');
  expect(entry).toMatchObject({ subresource: 'status', fieldsV1: { 'f:status': { '.': {}, 'f:ok': {} } } });
  expect(Object.keys(entry.fieldsV1)).toEqual(['f:status']);
});
