import { expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../server/index.ts';

const podGroups = { group: 'scheduling.k8s.io', version: 'v1alpha2', resource: 'podgroups' };
const pods = { group: '', version: 'v1', resource: 'pods' };

it('keeps a group until its pods are gone', async () => {
  const server = await startServer({
    storage: 'memory',
    runtimeConfig: 'scheduling.k8s.io/v1alpha2=true',
    controllers: ['podgroup-protection-controller'],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  onTestFinished(() => server.stop());
  const groups = server.client.resource(podGroups, 'default');
  for (const name of ['used', 'free']) {
    const made = await groups.create({ metadata: { name }, spec: { schedulingPolicy: { basic: {} } } });
    expect(made.metadata.finalizers).toEqual(['scheduling.k8s.io/podgroup-protection']);
  }
  const spec = { schedulingGroup: { podGroupName: 'used' }, containers: [{ name: 'c', image: 'i' }] };
  await server.client.resource(pods, 'default').create({ metadata: { name: 'p' }, spec });
  const isGone = (name: string) => vi.waitFor(() => expect(groups.get(name)).rejects.toMatchObject({ code: 404 }));
  await groups.delete('used');
  await groups.delete('free');
  await isGone('free');
  expect((await groups.get('used')).metadata.deletionTimestamp).toBeDefined();
  await server.client.resource(pods, 'default').delete('p', { gracePeriodSeconds: 0 });
  await isGone('used');
});
