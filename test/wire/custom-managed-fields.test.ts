import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TestApi } from './api.ts';

const path = '/apis/fields.example/v1/namespaces/default/gadgets';
let api: TestApi;

beforeAll(async () => {
  api = await TestApi.start();
  const part = { type: 'object', properties: { a: { type: 'string' } } };
  const gadgets = {
    metadata: { name: 'gadgets.fields.example' },
    spec: {
      group: 'fields.example',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: part, status: part } } },
          subresources: { status: {} },
        },
      ],
    },
  };
  await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', gadgets);
  await vi.waitUntil(async () => (await api.get(path)).status === 200);
});
afterAll(() => api.stop());

const typed = { apiVersion: 'fields.example/v1', kind: 'Gadget' };
const managersOf = ({ body }: { body: unknown }) =>
  (body as { metadata: { managedFields?: { manager: string }[] } }).metadata.managedFields?.map(
    ({ manager }) => manager,
  );

it('a new object with a status of the wrong type has no managed fields, although the status is dropped', async () => {
  const response = await api.post(path, { ...typed, metadata: { name: 'new' }, spec: { a: 'b' }, status: { a: 5 } });
  expect(response.body).toMatchObject({ spec: { a: 'b' } });
  expect(response.body).not.toHaveProperty('status');
  expect(managersOf(response)).toBeUndefined();
});

it('an update with what is dropped of the wrong type removes the managed fields', async () => {
  const created = await api.post(`${path}?fieldManager=m`, { ...typed, metadata: { name: 'old' }, spec: { a: 'b' } });
  expect(managersOf(created)).toEqual(['m']);
  expect(managersOf(await api.patch(`${path}/old`, { status: { a: 'c' } }))).toEqual(['m']);
  expect(managersOf(await api.patch(`${path}/old`, { status: { a: 5 } }))).toBeUndefined();
});

it('so does a write to the status with a spec of the wrong type', async () => {
  await api.post(`${path}?fieldManager=m`, { ...typed, metadata: { name: 'third' }, spec: { a: 'b' } });
  const response = await api.patch(`${path}/third/status`, { spec: { a: 5 }, status: { a: 'c' } });
  expect(response.body).toMatchObject({ spec: { a: 'b' }, status: { a: 'c' } });
  expect(managersOf(response)).toBeUndefined();
});
