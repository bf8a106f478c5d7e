import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthority, issueClient } from '../../../test/wire/certificates.ts';
import { startJsonServer } from '../../client/test-json-server.conformance.ts';
import { admissionWebhookClients, credentialsFor } from './admission-webhook-clients.ts';

const noObjects = { get: () => undefined, list: () => [] };

it.each<[host: string, user: string | undefined]>([
  ['hook.ns.svc:443', 'exact'],
  ['other.ns.svc:443', 'in ns'],
  ['other.ns2.svc:443', 'services'],
  ['hook.ns.svc:8443', undefined],
  ['a.b.example:8443', 'with port'],
  ['example:443', undefined],
  ['127.0.0.1:443', 'address'],
])('%s is shown the credentials of %s', (host, user) => {
  const names = {
    'hook.ns.svc': 'exact',
    '*.ns.svc': 'in ns',
    '*.svc': 'services',
    '*.example:8443': 'with port',
    '127.0.0.1': 'address',
  };
  const users = new Map(Object.entries(names).map(([name, token]) => [name, { token }]));
  expect(credentialsFor(users, host)?.token).toBe(user);
});

it('shows the certificate and the token of the kubeconfig', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'webhook-users-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const clientAuthority = await createAuthority('clients');
  const { cert, key } = await issueClient(clientAuthority, 'kube-apiserver');
  const server = await startJsonServer({ responses: [{}], clientAuthority });
  const kubeConfigFile = join(directory, 'users');
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key), token: 'secret' };
  writeFileSync(kubeConfigFile, JSON.stringify({ users: [{ name: server.url.host, user }] }));
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const clients = admissionWebhookClients({ kubeConfigFile }, { objects: noObjects, stop: stop.signal });
  const config = { url: `${server.url.origin}/`, caBundle: base64(server.authority.cert) };
  await clients.get(config).post({ text: '{}', timeoutMs: 10_000, maxResponseBytes: 1024 });
  expect(server.seen).toMatchObject([{ client: 'kube-apiserver', headers: { authorization: 'Bearer secret' } }]);
});

it('refuses a kubeconfig that it cannot use', () => {
  const kubeConfigFile = join(tmpdir(), 'there-is-no-such-kubeconfig');
  const dependencies = { objects: noObjects, stop: new AbortController().signal };
  const open = () => admissionWebhookClients({ kubeConfigFile }, dependencies);
  expect(open).toThrow(RangeError);
});
