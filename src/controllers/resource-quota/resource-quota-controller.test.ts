import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Server, startServer } from '../../server/index.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });

const errors: string[] = [];
let server: Server;
beforeAll(async () => {
  const error = (message: string, fields?: object) => void errors.push(`${message} ${JSON.stringify(fields)}`);
  server = await startServer({
    storage: 'memory',
    controllers: ['resourcequota-controller'],
    disableAdmissionPlugins: ['ServiceAccount'],
    log: { info: () => {}, error, flush: () => Promise.resolve() },
  });
});
afterAll(async () => {
  await server.stop();
  expect(errors).toEqual([]);
});

let namespaces = 0;

/** A namespace with a quota. */
async function started(hard: Record<string, string>, spec: object = {}) {
  const { client } = server;
  const namespace = `quota-${namespaces++}`;
  await client.resource(core('namespaces')).create({ metadata: { name: namespace } });
  const at = (resource: string) => client.resource(core(resource), namespace);
  await at('configmaps').create({ metadata: { name: 'before' } });
  await at('resourcequotas').create({ metadata: { name: 'q' }, spec: { hard, ...spec } });
  const has = (used: Record<string, string>, limits = hard) =>
    vi.waitFor(async () => expect((await at('resourcequotas').get('q')).status).toEqual({ hard: limits, used }), {
      interval: 5,
    });
  const pod = (name: string, cpu: string) => {
    const containers = [{ name: 'c', image: 'registry.example/c:1', resources: { requests: { cpu } } }];
    return at('pods').create({ metadata: { name }, spec: { containers } });
  };
  return { at, has, pod };
}

it('counts existing objects, and recounts after deletions', async () => {
  const { at, has, pod } = await started({
    configmaps: '3',
    'count/deployments.apps': '1',
    'count/nothing.example.com': '1',
    pods: '2',
    'requests.cpu': '1',
  });
  const zero = { 'count/deployments.apps': '0', pods: '0', 'requests.cpu': '0' };
  await has({ configmaps: '1', ...zero });
  await pod('a', '300m');
  await pod('b', '200m');
  await at('configmaps').create({ metadata: { name: 'another' } });
  await has({ ...zero, configmaps: '2', pods: '2', 'requests.cpu': '500m' });
  await expect(pod('c', '1m')).rejects.toMatchObject({ code: 403 });
  await at('configmaps').delete('before');
  await at('pods').delete('a');
  await has({ ...zero, configmaps: '1', pods: '1', 'requests.cpu': '200m' });
  // A finished pod has no usage.
  await at('pods').patch('b', { status: { phase: 'Succeeded' } }, { subresource: 'status' });
  await has({ ...zero, configmaps: '1' });
  await pod('c', '1');
  await has({ ...zero, configmaps: '1', pods: '1', 'requests.cpu': '1' });
  await expect(at('pods').get('c')).resolves.toBeDefined();
});

it('recounts when the quota changes', async () => {
  const { at, has } = await started({ configmaps: '5' });
  await has({ configmaps: '1' });
  await at('resourcequotas').patch('q', { spec: { hard: { configmaps: '1', secrets: '2' } } });
  await has({ configmaps: '1', secrets: '0' }, { configmaps: '1', secrets: '2' });
  await expect(at('configmaps').create({ metadata: { name: 'x' } })).rejects.toMatchObject({ code: 403 });
  await at('resourcequotas').delete('q');
  await at('configmaps').create({ metadata: { name: 'x' } });
});

it('counts only objects in the scope of the quota', async () => {
  const { has, pod } = await started({ pods: '5' }, { scopes: ['NotBestEffort'] });
  await has({ pods: '0' });
  await pod('a', '1');
  await pod('b', '0');
  await has({ pods: '1' });
});

it('recounts when a change moves an object into or out of the scope', async () => {
  const { at, has, pod } = await started({ pods: '5' }, { scopes: ['NotTerminating'] });
  await has({ pods: '0' });
  await pod('a', '1');
  await has({ pods: '1' });
  await at('pods').patch('a', { spec: { activeDeadlineSeconds: 60 } });
  await has({ pods: '0' });
});

it('does not lose objects that are admitted during deletions', async () => {
  const { at, has } = await started({ configmaps: '1k' });
  await has({ configmaps: '1' });
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      await at('configmaps').create({ metadata: { name: `c-${index}` } });
      if (index % 3 !== 0) await at('configmaps').delete(`c-${index}`);
    }),
  );
  await has({ configmaps: '21' });
});
