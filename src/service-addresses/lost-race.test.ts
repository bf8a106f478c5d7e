import { expect, it, onTestFinished } from 'vitest';
import { serverUser } from '../meta/user.ts';
import { ResourceSet } from '../registry/index.ts';
import { builtInResources } from '../resources/index.ts';
import { createMemoryStorage, type Storage } from '../storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../store/index.ts';
import { parseNodePortRange, parseServiceRanges } from './service-ranges.ts';
import { ServiceTransactions } from './service-transactions.ts';

const services = { group: '', version: 'v1', resource: 'services' };
const key = '/registry/services/specs/ns/a';

/** Services in a storage that calls `meanwhile` before it commits the next change of the service. */
function setUp() {
  const stop = new AbortController();
  const memory = createMemoryStorage();
  onTestFinished(async () => {
    stop.abort();
    await memory.close();
  });
  let meanwhile: (() => Promise<unknown>) | undefined;
  const storage: Storage = new Proxy(memory, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'commit') return typeof value === 'function' ? value.bind(target) : value;
      return async (change: Parameters<Storage['commit']>[0]) => {
        if (change.key === key && change.value !== undefined && meanwhile !== undefined) {
          const happens = meanwhile;
          meanwhile = undefined;
          await happens();
        }
        return target.commit(change);
      };
    },
  });
  const encoded = new RecentBytes(1024);
  const set = new ResourceSet({
    definitions: builtInResources.filter(({ group }) => group === '' || group === 'networking.k8s.io'),
    openStore: (prefix) => new CachedObjectStore({ storage, prefix, encoded, signal: stop.signal }),
    transactions: ({ group, resource }, resources) =>
      group === '' && resource === 'services'
        ? new ServiceTransactions({
            resources,
            ranges: parseServiceRanges('10.0.0.0/28'),
            nodePorts: parseNodePortRange('30000-30001'),
          })
        : undefined,
  });
  const { verbs } = set.find(services)!;
  const request = (name: string, spec: object, metadata: object = {}) => ({
    namespace: 'ns',
    name,
    body: Buffer.from(JSON.stringify({ metadata: { ...metadata, name, namespace: 'ns' }, spec })),
    encoding: 'json' as const,
    dryRun: false,
    fieldValidation: 'Strict' as const,
    fieldManager: 'm',
    user: serverUser,
    warn: () => {},
    authorizeCreate: () => {},
  });
  return { verbs, request, during: (happens: () => Promise<unknown>) => (meanwhile = happens) };
}

const ports = (nodePort?: number) => [{ port: 80, ...(nodePort && { nodePort }) }];
const external = { type: 'ExternalName', externalName: 'example.com' };
const exposed = { type: 'NodePort', clusterIP: '10.0.0.5', ports: ports(30_000) };

it('releases allocations of an update when the service is deleted meanwhile', async () => {
  const { verbs, request, during } = setUp();
  const created = await verbs.create!({ ...request('a', external), name: '' });
  const { uid } = JSON.parse((created as { bytes: Buffer }).bytes.toString()).metadata;
  const deletion = {
    namespace: 'ns',
    name: 'a',
    options: {
      dryRun: false,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: undefined,
      preconditions: undefined,
    },
    user: serverUser,
    warn: () => {},
  };
  during(() => verbs.delete!(deletion));
  await expect(verbs.update!(request('a', exposed, { uid }))).rejects.toMatchObject({ status: { code: 404 } });
  const next = await verbs.create!({ ...request('b', exposed), name: '' });
  expect(JSON.parse((next as { bytes: Buffer }).bytes.toString()).spec).toMatchObject({
    clusterIP: '10.0.0.5',
    ports: [{ nodePort: 30_000 }],
  });
});

it('keeps allocations of an update that is retried after a conflict', async () => {
  const { verbs, request, during } = setUp();
  await verbs.create!({ ...request('a', external), name: '' });
  during(() => verbs.update!(request('a', external, { labels: { a: 'b' } })));
  await verbs.update!(request('a', exposed));
  const taken = verbs.create!({ ...request('b', exposed), name: '' });
  await expect(taken).rejects.toMatchObject({ status: { code: 422 } });
});
