import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

it('a system priority class cannot be deleted by its name, but with the collection, as in kube-apiserver', async () => {
  const { status, body } = await api.delete(`${classes}/system-node-critical`);
  expect([status, body.message]).toEqual([
    403,
    'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
  ]);
  const deleted = await api.delete(classes);
  expect([deleted.status, deleted.body.items.length]).toEqual([200, 2]);
  expect((await api.get(classes)).body.items).toEqual([]);
});
