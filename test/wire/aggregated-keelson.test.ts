import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { TestApi } from './api.ts';

const group = 'tools.example.com';
const hammers = `/apis/${group}/v1/namespaces/default/hammers`;
const authenticationMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

it('a second server serves its custom types through the first one, to the users of the first one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-two-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const front = await TestApi.start();
  onTestFinished(() => front.stop());
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
  const behind = await TestApi.start({ requestheaderClientCaFile, requestheaderAllowedNames: ['front-proxy-client'] });
  onTestFinished(() => behind.stop());
  // What the second server trusts itself, and what it sends to others, is published by it.
  const published = (await behind.get(authenticationMap)).body.data;
  expect(published['requestheader-client-ca-file'].match(/BEGIN CERTIFICATE/g)).toHaveLength(2);

  await behind.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `hammers.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'hammers', singular: 'hammer', kind: 'Hammer', listKind: 'HammerList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
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
  await vi.waitFor(async () => expect((await front.get(hammers)).status).toBe(200), { timeout: 10_000, interval: 20 });

  const watch = await front.watch(`${hammers}?watch=true`);
  expect(
    (await front.post(hammers, { apiVersion: `${group}/v1`, kind: 'Hammer', metadata: { name: 'one' } })).status,
  ).toBe(200);
  expect(await watch.take(1)).toEqual(['ADDED one']);
  watch.close();
  expect((await behind.get(`${hammers}/one`)).status).toBe(200);
  expect(
    (await front.get(`${hammers}/one`, { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } })).body,
  ).toMatchObject({
    kind: 'Table',
    rows: [{ cells: ['one', expect.anything()] }],
  });

  // Both must permit it.
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
