import { describe, expect, it, vi } from 'vitest';
import { isLong } from '../is-long.ts';
import { type NewStore, type SharedServer, type SharedStore, shortTimings, startForSuite } from './shared-store.ts';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';

const service = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
const balanced = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };

/** Addresses up to 10.9.0.32 and ports up to 30015 are only assigned to services that request them. */
const options = { serviceClusterIpRange: '10.9.0.0/23', serviceNodePortRange: '30000-30511' };

async function addressNames({ api }: SharedServer): Promise<string[]> {
  const { body } = await api.get(addresses);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

/** Returns the number of allocated ports in the store. */
async function takenPorts({ storage }: SharedStore): Promise<number> {
  const entry = await storage.get('/registry/ranges/servicenodeports');
  const { data } = JSON.parse(entry!.value.toString());
  return Buffer.from(data, 'base64').reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
}

/** Tests for services on servers that share a store. */
export function describeServices(newStore: NewStore): void {
  describe('services of several servers', () => {
    const started = startForSuite(newStore, 3, () => options);

    it('have addresses and ports of their own, which are free when they are deleted', async () => {
      const { store, servers } = started();
      const count = isLong ? 200 : 30;
      const created = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          servers[index % 3]!.api.post(services, service(`s${index}`, balanced)),
        ),
      );
      expect(created.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
      const specs = created.map(({ body }) => body.spec);
      expect(new Set([...specs.map(({ clusterIP }) => clusterIP), '10.9.0.1']).size).toBe(count + 1);
      const ports = specs.flatMap(({ ports: [{ nodePort }], healthCheckNodePort }) => [nodePort, healthCheckNodePort]);
      expect(new Set(ports).size).toBe(2 * count);
      expect(await takenPorts(store)).toBe(2 * count);
      // Each service is deleted by another server than the one that created it.
      const deleted = await Promise.all(
        created.map((_, index) => servers[(index + 1) % 3]!.api.delete(`${services}/s${index}`)),
      );
      expect(deleted.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 200));
      // The repair may have allocated an address or port for a service that it read before, and then releases it at
      // once.
      await vi.waitFor(async () => expect(await addressNames(servers[0]!)).toEqual(['10.9.0.1']));
      await vi.waitFor(async () => expect(await takenPorts(store)).toBe(0));
    });

    it('share a name: one server creates it, and the others allocate nothing', async () => {
      const { store, servers } = started();
      const spec = { ...balanced, clusterIP: '10.9.0.12' };
      const results = await Promise.all(servers.map(({ api }) => api.post(services, service('s', spec))));
      expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      await vi.waitFor(async () => expect(await addressNames(servers[0]!)).toEqual(['10.9.0.1', '10.9.0.12']));
      await vi.waitFor(async () => expect(await takenPorts(store)).toBe(2));
      await servers[0]!.api.delete(`${services}/s`);
    });

    it('request the same address or port: one gets it, and another one after its deletion', async () => {
      const { servers } = started();
      const wanted = Object.entries({
        address: { clusterIP: '10.9.0.11' },
        'node-port': { type: 'NodePort', ports: [{ port: 80, nodePort: 30_005 }] },
        'health-check-port': { ...balanced, healthCheckNodePort: 30_006 },
      });
      for (const [what, spec] of wanted) {
        const results = await Promise.all(
          servers.map(({ api }, index) => api.post(services, service(`${what}-${index}`, spec))),
        );
        const winner = results.findIndex(({ status }) => status === 200);
        expect(
          results.filter(({ status }) => status === 200),
          what,
        ).toHaveLength(1);
        const loser = (winner + 1) % 3;
        const dryRun = await servers[loser]!.api.post(`${services}?dryRun=All`, service('dry', spec));
        expect(dryRun.body.message).toMatch(/already allocated/);
        await servers[winner]!.api.delete(`${services}/${what}-${winner}`);
        expect((await servers[loser]!.api.post(services, service(`${what}-${loser}`, spec))).status).toBe(200);
      }
    });

    it('keep the allocations of a running write in spite of the repair', async () => {
      const [first, second] = started().servers;
      const orphan = {
        metadata: { name: '10.9.0.13', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
        spec: { parentRef: { resource: 'services', namespace: 'default', name: 'coming' } },
      };
      expect((await first!.api.post(addresses, orphan)).status).toBe(200);
      // When the missing address is there again, a repair has taken place.
      const { clusterIP } = (await first!.api.post(services, service('kept'))).body.spec;
      await second!.api.delete(`${addresses}/${clusterIP}`);
      await vi.waitFor(async () => expect(await addressNames(second!)).toContain(clusterIP));
      expect(await addressNames(second!)).toContain('10.9.0.13');
      // The write that allocated the address may be repeated on any server.
      const coming = await second!.api.post(services, service('coming', { clusterIP: '10.9.0.13' }));
      expect(coming.status).toBe(200);
      expect((await second!.api.post(services, service('other', { clusterIP: '10.9.0.13' }))).status).toBe(422);
    });
  });

  it('services that fill the range get nothing more', async () => {
    const store = await newStore();
    const servers = await store.startAll(2, () => ({ ...options, serviceClusterIpRange: '10.9.0.0/28' }));
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, index) => servers[index % 2]!.api.post(services, service(`s${index}`))),
    );
    const given = results.filter(({ status }) => status === 200).map(({ body }) => body.spec.clusterIP);
    expect(new Set([...given, '10.9.0.1']).size).toBe(14);
    for (const { status, body } of results) if (status !== 200) expect(body.message).toMatch(/range is full/);
  });

  it('the repair releases allocations without a service, and restores those of services', async () => {
    const store = await newStore();
    const timings = { ...shortTimings, repair: { everyMs: 100, graceMs: 300 } };
    const [first, second] = await store.startAll(2, () => ({ ...options, timings }));
    const kept = (await first!.api.post(services, service('kept', balanced))).body.spec;
    await first!.api.post(services, service('lost', balanced));
    // Simulates crashes: one service is removed without its allocations, and the address of another one is removed.
    const key = '/registry/services/specs/default/lost';
    await store.storage.commit({ key, expected: (await store.storage.get(key))!.modRevision, value: undefined });
    await second!.api.delete(`${addresses}/${kept.clusterIP}`);
    await vi.waitFor(async () => {
      expect(new Set(await addressNames(second!))).toEqual(new Set(['10.9.0.1', kept.clusterIP]));
      expect(await takenPorts(store)).toBe(2);
    });
  });

  it('begins with the ports and addresses of a store that has none of them', async () => {
    const store = await newStore();
    const first = await store.start(options);
    const { clusterIP, ports } = (await first.api.post(services, service('s', balanced))).body.spec;
    await first.stop();
    for (const key of ['/registry/ranges/servicenodeports', `/registry/ipaddresses/${clusterIP}`]) {
      await store.storage.commit({ key, expected: (await store.storage.get(key))!.modRevision, value: undefined });
    }
    const second = await store.start(options);
    const hook = '/readyz/poststarthook/start-service-ip-repair-controllers';
    await vi.waitFor(async () => expect((await second.api.get(hook)).text).toBe('ok'));
    expect(await addressNames(second)).toContain(clusterIP);
    expect(await takenPorts(store)).toBe(2);
    const samePort = service('t', { type: 'NodePort', ports: [{ port: 80, nodePort: ports[0].nodePort }] });
    expect((await second.api.post(services, samePort)).body.message).toMatch(/port is already allocated/);
    expect((await second.api.post(services, service('t', { clusterIP }))).body.message).toMatch(
      /IP is already allocated/,
    );
  });
}
