import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../server/index.ts';
import { ensureAuthenticationConfigMap } from './authentication-config-map.ts';

const requestHeader = {
  clientCa: 'PROXY CA',
  allowedNames: ['front-proxy'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

async function started() {
  const server = await startServer({ storage: 'memory', controllers: ['ttl-after-finished-controller'] });
  onTestFinished(() => server.stop());
  const configMaps = server.client.resource({ group: '', version: 'v1', resource: 'configmaps' }, 'kube-system');
  return { client: server.client, configMaps, name: 'extension-apiserver-authentication' };
}

it('publishes the trusted CAs', async () => {
  const { client, configMaps, name } = await started();
  await ensureAuthenticationConfigMap(client, { clientCa: 'CA', requestHeader });
  expect((await configMaps.get(name)).data).toEqual({
    'client-ca-file': 'CA',
    'requestheader-allowed-names': '["front-proxy"]',
    'requestheader-client-ca-file': 'PROXY CA',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
});

it('updates its own keys and keeps the others', async () => {
  const { client, configMaps, name } = await started();
  await ensureAuthenticationConfigMap(client, { clientCa: 'CA', requestHeader });
  await configMaps.patch(name, { data: { mine: 'x' }, metadata: { labels: { mine: 'x' } } });
  await ensureAuthenticationConfigMap(client, { clientCa: 'NEW CA' });
  const { data, metadata } = await configMaps.get(name);
  expect(data).toEqual({ 'client-ca-file': 'NEW CA', mine: 'x' });
  expect(metadata.labels).toEqual({ mine: 'x' });
  await ensureAuthenticationConfigMap(client, { clientCa: 'NEW CA' });
  expect((await configMaps.get(name)).metadata.resourceVersion).toBe(metadata.resourceVersion);
});
