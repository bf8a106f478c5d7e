import { describe, expect, it, vi } from 'vitest';
import { type SharedServer, SharedStore, shortLeases, shortTimings, startForSuite } from './shared-store.ts';

const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

interface Subset {
  readonly addresses: readonly { readonly ip: string }[];
  readonly ports: readonly { readonly port: number }[];
}

interface Slice {
  readonly metadata: { readonly name: string };
  readonly addressType: string;
  readonly endpoints?: readonly { readonly addresses: readonly string[] }[] | null;
  readonly ports: readonly { readonly port: number }[];
}

const portOf = ({ api }: SharedServer): number => Number(new URL(api.server.url).port);

/** Returns `ip:port` of all addresses in the Endpoints, and of all in the slices. */
async function listed({ api }: SharedServer): Promise<{ endpoints: string[]; slices: string[] }> {
  const { subsets = [] } = (await api.get(endpoints)).body as { subsets?: Subset[] };
  const { items } = (await api.get(slices)).body as { items: Slice[] };
  return {
    endpoints: subsets
      .flatMap(({ addresses, ports }) => addresses.map(({ ip }) => `${ip}:${ports[0]!.port}`))
      .toSorted(),
    slices: items
      .flatMap((slice) => (slice.endpoints ?? []).map(({ addresses }) => `${addresses[0]}:${slice.ports[0]!.port}`))
      .toSorted(),
  };
}

async function expectListed(server: SharedServer, expected: readonly string[]): Promise<void> {
  const sorted = expected.toSorted();
  await vi.waitFor(async () => expect(await listed(server)).toEqual({ endpoints: sorted, slices: sorted }));
}

const advertised = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

function startServers(addresses: readonly string[], timings = shortTimings) {
  const started = startForSuite(
    (atEnd) => SharedStore.inMemory({ atEnd }),
    addresses.length,
    (index) => ({ advertiseAddress: addresses[index]!, timings }),
  );
  return () => {
    const { store, servers } = started();
    const addressOf = (index: number): string => `${addresses[index]}:${portOf(servers[index]!)}`;
    return { store, servers, addressOf, all: servers.map((_, index) => addressOf(index)) };
  };
}

describe('the endpoints of the service kubernetes', () => {
  const started = startServers(advertised);

  it('are all live servers', async () => {
    const { servers, all } = started();
    for (const server of servers) await expectListed(server, all);
  });

  it('are written only when a server comes or goes', async () => {
    const { servers, all } = started();
    for (const server of servers) await expectListed(server, all);
    const version = async (): Promise<string> => (await servers[0]!.api.get(endpoints)).body.metadata.resourceVersion;
    const before = await version();
    // Each server renews its lease several times and checks the endpoints each time.
    const renewals = async () => (await presences(servers[0]!)).map(({ metadata }) => Number(metadata.resourceVersion));
    const first = Math.max(...(await renewals()));
    await vi.waitFor(async () => expect(Math.min(...(await renewals()))).toBeGreaterThan(first));
    expect(await version()).toBe(before);
  });

  // The following tests stop servers.
  it('lose a server that stops before it has stopped', async () => {
    const { servers, addressOf } = started();
    await servers[0]!.stop();
    expect(await presences(servers[1]!)).toHaveLength(2);
    await expectListed(servers[1]!, [addressOf(1), addressOf(2)]);
  });

  it('are none after the last server', async () => {
    const { store, servers } = started();
    await Promise.all(servers.map((server) => server.stop()));
    const range = { start: '/registry/', end: '/registry0' };
    const { entries } = await store.storage.range(range);
    const stored = (key: string) => JSON.parse(entries.find((entry) => entry.key === key)!.value.toString());
    expect(stored('/registry/services/endpoints/default/kubernetes').subsets ?? []).toEqual([]);
    expect(stored('/registry/endpointslices/default/kubernetes').endpoints ?? []).toEqual([]);
    expect(entries.filter(({ key }) => key.startsWith('/registry/endpointslices/'))).toHaveLength(1);
    expect(entries.filter(({ key }) => key.includes('/leases/kube-system/apiserver-'))).toEqual([]);
  });
});

describe('the endpoints of servers whose leases are short', () => {
  const started = startServers(advertised, shortLeases);

  it('lose a server that is cut off when its lease has ended', async () => {
    const { servers, addressOf } = started();
    servers[1]!.cutOff();
    await expectListed(servers[0]!, [addressOf(0), addressOf(2)]);
    await vi.waitFor(async () => expect(await presences(servers[0]!)).toHaveLength(2));
  });
});

describe('servers of both families', () => {
  const started = startServers(['192.0.2.1', '2001:db8::1']);

  it('have endpoints in slices of their own', async () => {
    const { servers, all } = started();
    await expectListed(servers[0]!, all);
    const { items } = (await servers[0]!.api.get(slices)).body as { items: Slice[] };
    expect(items.map(({ metadata, addressType }) => [metadata.name, addressType])).toEqual([
      ['kubernetes', 'IPv4'],
      [`kubernetes-ipv6-${portOf(servers[1]!)}`, 'IPv6'],
    ]);
  });

  it('are announced by leases in the form of kube-apiserver', async () => {
    const { servers, addressOf } = started();
    const found = await presences(servers[0]!);
    expect(found).toHaveLength(2);
    expect(
      found.map(({ metadata }) => metadata.annotations['kubernetes.io/peer-advertise-address']).toSorted(),
    ).toEqual([addressOf(0), `[2001:db8::1]:${portOf(servers[1]!)}`]);
    for (const { metadata, spec } of found) {
      expect(metadata.name).toMatch(/^apiserver-[0-9a-f]{26}$/);
      expect(metadata.labels).toMatchObject({ 'apiserver.kubernetes.io/identity': 'kube-apiserver' });
      expect(spec.leaseDurationSeconds).toBe(shortTimings.presence!.durationSeconds);
    }
  });
});

interface ServerLease {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels: Record<string, string>;
    readonly annotations: Record<string, string>;
  };
  readonly spec: { readonly holderIdentity: string; readonly leaseDurationSeconds: number };
}

async function presences({ api }: SharedServer): Promise<ServerLease[]> {
  const selector = 'labelSelector=apiserver.kubernetes.io/identity%3Dkube-apiserver';
  return (await api.get(`${leases}?${selector}`)).body.items;
}
