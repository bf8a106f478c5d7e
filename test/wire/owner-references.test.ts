import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const configMaps = '/api/v1/namespaces/default/configmaps';
const reference = (more: object = {}) => ({ apiVersion: 'example.com/v1', kind: 'A', name: 'x', uid: '1', ...more });
const field = 'metadata.ownerReferences';

it.each([
  [reference({ apiVersion: '' }), `${field}.apiVersion: Invalid value: "": version must not be empty`],
  [reference({ kind: '' }), `${field}.kind: Invalid value: "": must not be empty`],
  [reference({ name: '' }), `${field}.name: Invalid value: "": must not be empty`],
  [reference({ uid: '' }), `${field}.uid: Invalid value: "": must not be empty`],
  [reference({ apiVersion: 'v1', kind: 'Event' }), 'is disallowed from being an owner'],
])('refuses %j', async (bad, text) => {
  const { status, body } = await api.post(configMaps, { metadata: { name: 'bad', ownerReferences: [bad] } });
  expect(status).toBe(422);
  expect(body.message).toContain(text);
});

it('refuses two controllers', async () => {
  const ownerReferences = [reference({ controller: true }), reference({ name: 'y', uid: '2', controller: true })];
  const { status, body } = await api.post(configMaps, { metadata: { name: 'bad', ownerReferences } });
  expect(status).toBe(422);
  expect(body.message).toContain(
    'Only one reference can have Controller set to true. Found "true" in references for A/x and A/y',
  );
});

it('drops what is repeated word for word, on every way in, and says so', async () => {
  const twice = [reference(), reference({ blockOwnerDeletion: true }), reference()];
  const once = twice.slice(0, 2);
  const warning = (when: string) =>
    `299 - ".metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may ` +
    'reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1"';
  const metadata = { name: 'twice', ownerReferences: twice };
  const path = `${configMaps}/twice`;
  // The result of a patch is only checked after admission.
  const patched = ' after mutating admission happens';
  const ways = [
    { ...(await api.post(configMaps, { metadata })), when: '' },
    { ...(await api.put(path, { metadata })), when: '' },
    { ...(await api.patch(path, { metadata: { ownerReferences: twice } })), when: patched },
    {
      ...(await api.patch(path, [{ op: 'replace', path: '/metadata/ownerReferences', value: twice }], 'json')),
      when: patched,
    },
  ];
  for (const { status, body, headers, when } of ways) {
    expect(status).toBe(200);
    expect(body.metadata.ownerReferences).toEqual(once);
    expect([headers.warning].flat()).toEqual([warning(when)]);
  }
});
