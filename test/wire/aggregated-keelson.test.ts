import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TestApi } from './api.ts';
import { definitionOf, definitions } from './custom-types.ts';

const group = 'tools.example.com';
const hammers = `/apis/${group}/v1/namespaces/default/hammers`;
const authenticationMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

let folder: string;
let front: TestApi;
let behind: TestApi;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keelson-two-'));
  front = await TestApi.start({ controllers: ['garbage-collector-controller'] });
  const { data } = (await front.get(authenticationMap)).body;
  expect(data).toMatchObject({
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });

  const requestheaderClientCaFile = join(folder, 'front-proxy-ca.crt');
  await writeFile(requestheaderClientCaFile, data['requestheader-client-ca-file']);
  behind = await TestApi.start({ requestheaderClientCaFile, requestheaderAllowedNames: ['front-proxy-client'] });
  // The second server publishes both the CA that it trusts and the CA of its own front proxy.
  const published = (await behind.get(authenticationMap)).body.data;
  expect(published['requestheader-client-ca-file'].match(/BEGIN CERTIFICATE/g)).toHaveLength(2);

  await behind.post(definitions, definitionOf({ singular: 'hammer', group }));
  await front.post('/api/v1/namespaces/default/services', {
    metadata: { name: 'behind' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await front.post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 1500,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'behind', port: Number(new URL(behind.server.url).port) },
    },
  });
  await until(hammers, 200);
});

afterAll(async () => {
  await behind?.stop();
  await front?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function until(path: string, status: number): Promise<void> {
  await vi.waitFor(async () => expect((await front.get(path)).status).toBe(status));
}

const hammer = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Hammer', metadata: { name } });

it('a second server serves its custom types through the first one, to the users of the first one', async () => {
  const watch = await front.watch(`${hammers}?watch=true`);
  expect((await front.post(hammers, hammer('one'))).status).toBe(200);
  expect(await watch.take(1)).toEqual(['ADDED one']);
  watch.close();
  expect((await behind.get(`${hammers}/one`)).status).toBe(200);
  expect(
    (await front.get(`${hammers}/one`, { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } })).body,
  ).toMatchObject({
    kind: 'Table',
    rows: [{ cells: ['one', expect.anything()] }],
  });

  // Both servers must allow the request.
  const rules = [{ apiGroups: [group], resources: ['hammers'], verbs: ['get'] }];
  const permit = async (api: TestApi): Promise<void> => {
    await api.post(`${rbac}/clusterroles`, { metadata: { name: 'carpenter' }, rules });
    await api.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'carpenters' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'carpenter' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'carl' }],
    });
  };
  const asCarl = async () => (await front.get(`${hammers}/one`, { headers: { 'impersonate-user': 'carl' } })).body;
  expect(await asCarl()).toMatchObject({ code: 403 });
  await permit(front);
  expect(await asCarl()).toMatchObject({
    code: 403,
    message: expect.stringContaining('User "carl" cannot get resource'),
  });
  await permit(behind);
  expect(await asCarl()).toMatchObject({ metadata: { name: 'one' } });
});

it('objects are collected after their owners on another server, but not while it is away', async () => {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const own = (name: string, owner: { kind: string; apiVersion: string; name: string; uid: string }) =>
    front.post(configMaps, { metadata: { name, ownerReferences: [owner] } });
  const owners = await Promise.all(
    ['deleted', 'away'].map(async (name) => {
      const { metadata } = (await front.post(hammers, hammer(name))).body;
      return { kind: 'Hammer', apiVersion: `${group}/v1`, name, uid: metadata.uid as string };
    }),
  );
  for (const owner of owners) await own(`of-${owner.name}`, owner);
  await front.delete(`${hammers}/deleted`);
  await until(`${configMaps}/of-deleted`, 404);

  await behind.stop();
  await until(hammers, 503);
  await own('of-nobody', { kind: 'Hammer', apiVersion: `${group}/v1`, name: 'nobody', uid: 'u1' });
  await own('of-no-secret', { kind: 'Secret', apiVersion: 'v1', name: 'nobody', uid: 'u2' });
  await until(`${configMaps}/of-no-secret`, 404);
  for (const name of ['of-away', 'of-nobody']) expect((await front.get(`${configMaps}/${name}`)).status).toBe(200);
});
