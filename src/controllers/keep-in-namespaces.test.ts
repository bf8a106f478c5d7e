import { X509Certificate } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../server/index.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts' };

async function started(controllers: string[]) {
  const errors: string[] = [];
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  const server = await startServer({
    storage: 'memory',
    controllers,
    log: { info: () => {}, error, flush: () => Promise.resolve() },
  });
  onTestFinished(() => server.stop());
  return { client: server.client, errors };
}

it('creates a service account in every namespace, and restores it', async () => {
  const { client, errors } = await started(['serviceaccount', 'namespace']);
  await client.resource(namespaces).create({ metadata: { name: 'new' } });
  for (const namespace of ['default', 'kube-system', 'new']) {
    await vi.waitFor(() => client.resource(serviceAccounts, namespace).get('default'));
  }
  const accounts = client.resource(serviceAccounts, 'new');
  const { uid } = (await accounts.get('default')).metadata;
  await accounts.delete('default');
  await vi.waitFor(async () => expect((await accounts.get('default')).metadata.uid).not.toBe(uid));
  // It is not restored in a terminating namespace.
  await client.resource(namespaces).delete('new');
  await vi.waitFor(() => expect(client.resource(namespaces).get('new')).rejects.toMatchObject({ code: 404 }));
  expect((await accounts.list()).items).toEqual([]);
  expect(errors).toEqual([]);
});

it('publishes the CA in every namespace, and restores it', async () => {
  const { client, errors } = await started(['root-ca-certificate-publisher-controller']);
  const maps = client.resource(configMaps, 'default');
  const published = await vi.waitFor(() => maps.get('kube-root-ca.crt'));
  const { data } = published as { data?: Record<string, string> };
  expect(new X509Certificate(data!['ca.crt']!).ca).toBe(true);
  expect(published.metadata.annotations).toHaveProperty(['kubernetes.io/description']);
  await maps.patch('kube-root-ca.crt', { data: { 'ca.crt': 'nonsense' } });
  await vi.waitFor(async () => expect(await maps.get('kube-root-ca.crt')).toMatchObject({ data }));
  await maps.delete('kube-root-ca.crt');
  await vi.waitFor(async () => expect(await maps.get('kube-root-ca.crt')).toMatchObject({ data }));
  expect(errors).toEqual([]);
});
