import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../server/index.ts';
import { ensureKubernetesService } from './bootstrap-objects.ts';
import { ensureKubernetesEndpoints } from './kubernetes-endpoints.ts';

async function started() {
  const server = await startServer({ storage: 'memory', controllers: ['ttl-after-finished-controller'] });
  onTestFinished(() => server.stop());
  const { client } = server;
  const get = (group: string, resource: string) =>
    client.resource({ group, version: 'v1', resource }, 'default').get('kubernetes');
  return {
    client,
    service: () => get('', 'services'),
    endpoints: () => get('', 'endpoints'),
    slice: () => get('discovery.k8s.io', 'endpointslices'),
  };
}

it('creates Endpoints and an EndpointSlice for the server', async () => {
  const { client, endpoints, slice } = await started();
  await ensureKubernetesEndpoints(client, { ip: '192.0.2.7', port: 6443 });
  const made = await endpoints();
  expect(made.metadata.labels).toEqual({ 'endpointslice.kubernetes.io/skip-mirror': 'true' });
  expect(made.subsets).toEqual([
    { addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
  ]);
  expect(await slice()).toMatchObject({
    metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true } }],
    ports: [{ name: 'https', protocol: 'TCP', port: 6443 }],
  });
});

it('writes only when the address has changed', async () => {
  const { client, endpoints, slice } = await started();
  await ensureKubernetesEndpoints(client, { ip: '192.0.2.7', port: 6443 });
  const versions = async () => [(await endpoints()).metadata.resourceVersion, (await slice()).metadata.resourceVersion];
  const before = await versions();
  await ensureKubernetesEndpoints(client, { ip: '192.0.2.7', port: 6443 });
  expect(await versions()).toEqual(before);
  await ensureKubernetesEndpoints(client, { ip: '192.0.2.8', port: 6444 });
  expect((await endpoints()).subsets).toMatchObject([{ addresses: [{ ip: '192.0.2.8' }], ports: [{ port: 6444 }] }]);
  expect(await slice()).toMatchObject({ endpoints: [{ addresses: ['192.0.2.8'] }], ports: [{ port: 6444 }] });
});

it('recreates the slice for the other address family', async () => {
  const { client, endpoints, slice } = await started();
  await ensureKubernetesEndpoints(client, { ip: '192.0.2.7', port: 6443 });
  await ensureKubernetesEndpoints(client, { ip: '2001:db8::7', port: 6443 });
  expect(await slice()).toMatchObject({ addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::7'] }] });
  expect((await endpoints()).subsets).toMatchObject([{ addresses: [{ ip: '2001:db8::7' }] }]);
});

it('updates the target port of the service', async () => {
  const { client, service } = await started();
  const before = await service();
  const ip = (before.spec as { clusterIP: string }).clusterIP;
  await ensureKubernetesService(client, { ip, port: 7443 });
  const { metadata, spec } = await service();
  expect(spec).toMatchObject({ clusterIP: ip, ports: [{ name: 'https', port: 443, targetPort: 7443 }] });
  await ensureKubernetesService(client, { ip, port: 7443 });
  expect((await service()).metadata.resourceVersion).toBe(metadata.resourceVersion);
});
