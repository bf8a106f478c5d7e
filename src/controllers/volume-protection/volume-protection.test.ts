import { expect, it, onTestFinished, vi } from 'vitest';
import type { Client } from '../../client/index.ts';
import { startServer } from '../../server/index.ts';

const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
const volumes = { group: '', version: 'v1', resource: 'persistentvolumes' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const capacity = { storage: '1Gi' };

async function started(): Promise<Client> {
  const controllers = ['pvc-protection', 'pv-protection', 'namespace-controller'];
  const server = await startServer({ storage: 'memory', controllers, disableAdmissionPlugins: ['ServiceAccount'] });
  onTestFinished(() => server.stop());
  return server.client;
}

async function claim(client: Client, name: string, namespace = 'default'): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: capacity } };
  const made = await client.resource(claims, namespace).create({ metadata: { name }, spec });
  expect(made.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
}

const isGone = (read: () => Promise<unknown>) =>
  vi.waitFor(() => expect(read()).rejects.toMatchObject({ code: 404 }), { interval: 5 });

it('releases a claim that no pod uses', async () => {
  const client = await started();
  await claim(client, 'free');
  await client.resource(claims, 'default').delete('free');
  await isGone(() => client.resource(claims, 'default').get('free'));
});

it('keeps a claim until the pod that uses it is deleted', async () => {
  const client = await started();
  await claim(client, 'used');
  await claim(client, 'other');
  const usingPod = (name: string, nodeName?: string) => ({
    metadata: { name },
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      containers: [{ name: 'c', image: 'example.com/c' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }],
    },
  });
  await client.resource(pods, 'default').create(usingPod('waiting'));
  await client.resource(pods, 'default').create(usingPod('running', 'n'));
  await client.resource(claims, 'default').delete('used');
  await client.resource(claims, 'default').delete('other');
  await isGone(() => client.resource(claims, 'default').get('other'));
  expect((await client.resource(claims, 'default').get('used')).metadata.deletionTimestamp).toBeDefined();
  await client.resource(pods, 'default').delete('running', { gracePeriodSeconds: 0 });
  await isGone(() => client.resource(claims, 'default').get('used'));
});

it('keeps a volume as long as it is bound', async () => {
  const client = await started();
  const items = client.resource(volumes);
  const spec = { capacity, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/v' } };
  for (const name of ['bound', 'free']) await items.create({ metadata: { name }, spec });
  await items.patch('bound', { status: { phase: 'Bound' } }, { subresource: 'status' });
  for (const name of ['bound', 'free']) await items.delete(name);
  await isGone(() => items.get('free'));
  expect((await items.get('bound')).metadata.deletionTimestamp).toBeDefined();
  await items.patch('bound', { status: { phase: 'Released' } }, { subresource: 'status' });
  await isGone(() => items.get('bound'));
});

it('does not block the deletion of a namespace', async () => {
  const client = await started();
  await client.resource(namespaces).create({ metadata: { name: 'going' } });
  await claim(client, 'inside', 'going');
  await client.resource(namespaces).delete('going');
  await isGone(() => client.resource(namespaces).get('going'));
});
