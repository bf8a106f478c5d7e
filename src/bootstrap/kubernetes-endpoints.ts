import { ApiError, type Client } from '../client/index.ts';
import { addressFamily } from '../meta/address-family.ts';
import { isJsonEqual } from '../meta/json-object.ts';
import type { ResourceObject } from '../meta/object.ts';
import { lookUpAndEnsureObject, type Reconciliation } from './ensure-object.ts';
import { type ChangeObject, moveObject } from './move-object.ts';
import type { ServerAddress } from './server-address.ts';

const endpoints = { group: '', version: 'v1', resource: 'endpoints' };
const slices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const serviceLabel = { 'kubernetes.io/service-name': 'kubernetes' };
/** Marks the additional slices. */
const managedLabel = { 'endpointslice.kubernetes.io/managed-by': 'keelson' };

/**
 * Ensures the Endpoints and the EndpointSlice of the service `kubernetes`, which point to this server. Idempotent;
 * replaces the address of an earlier start. The namespace `default` must exist.
 */
export function ensureKubernetesEndpoints(client: Client, address: ServerAddress): Promise<void> {
  return write(client, groupsOf([address]));
}

/**
 * Like `ensureKubernetesEndpoints`, in the copy of a store, without requests. Returns false when requests are needed.
 */
export async function moveKubernetesEndpoints(change: ChangeObject, address: ServerAddress): Promise<boolean> {
  const groups = groupsOf([address]);
  const [group] = groups;
  const isMoved = await moveObject(change, endpoints, (current) => reconcile(current, kubernetesEndpoints(groups)));
  return isMoved && moveObject(change, slices, (current) => reconcile(current, kubernetesEndpointSlice(group!)));
}

/**
 * Like `ensureKubernetesEndpoints`, for all servers of a shared store. Servers with the same list of addresses write
 * the same objects. A slice has one address family and one port, so servers with different families or ports need
 * additional slices.
 */
export async function ensureAllKubernetesEndpoints(client: Client, addresses: readonly ServerAddress[]): Promise<void> {
  const groups = groupsOf(addresses);
  await write(client, groups);
  await removeSlices(client, new Set(groups.map(({ name }) => name)));
}

/** The servers of one slice. */
interface AddressGroup {
  /** The name of the slice. */
  readonly name: string;
  readonly family: 'IPv4' | 'IPv6';
  readonly port: number;
  /** The sorted addresses. */
  readonly ips: readonly string[];
}

function groupsOf(addresses: readonly ServerAddress[]): AddressGroup[] {
  const byPort = Map.groupBy(addresses, ({ ip, port }) => `${addressFamily(ip) === 6 ? 'IPv6' : 'IPv4'} ${port}`);
  return [...byPort]
    .map(([key, members]) => {
      const [family, port] = key.split(' ') as ['IPv4' | 'IPv6', string];
      return { family, port: Number(port), ips: [...new Set(members.map(({ ip }) => ip))].sort() };
    })
    .sort((left, right) => left.family.localeCompare(right.family) || left.port - right.port)
    .map((group, index) => ({
      ...group,
      name: index === 0 ? 'kubernetes' : `kubernetes-${group.family.toLowerCase()}-${group.port}`,
    }));
}

async function write(client: Client, groups: readonly AddressGroup[]): Promise<void> {
  await Promise.all([
    lookUpAndEnsureObject({
      objects: client.resource(endpoints, 'default'),
      desired: kubernetesEndpoints(groups),
      reconcile,
    }),
    ...groups.map((group) =>
      lookUpAndEnsureObject({
        objects: client.resource(slices, 'default'),
        desired: kubernetesEndpointSlice(group),
        reconcile,
      }),
    ),
  ]);
}

/** Removes additional slices that are no longer needed, and the endpoints of the first one when no server is left. */
async function removeSlices(client: Client, needed: ReadonlySet<string>): Promise<void> {
  const objects = client.resource(slices, 'default');
  const labelSelector = Object.entries({ ...serviceLabel, ...managedLabel })
    .map((pair) => pair.join('='))
    .join();
  const { items } = await objects.list({ labelSelector });
  for (const {
    metadata: { name = '', uid, resourceVersion },
  } of items) {
    if (needed.has(name)) continue;
    await objects.delete(name, {}, { preconditions: { uid, resourceVersion } }).catch(ignoreRace);
  }
  if (needed.size > 0) return;
  await objects.patch('kubernetes', { endpoints: [] }).catch(ignoreRace);
}

function ignoreRace(error: unknown): void {
  if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 409)) throw error;
}

function kubernetesEndpoints(groups: readonly AddressGroup[]): ResourceObject {
  return {
    // The server writes the slice itself, so the mirroring controller must not create another.
    metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: subsetsOf(groups),
  };
}

/** Returns one subset for each port, with the addresses of both families. */
function subsetsOf(groups: readonly AddressGroup[]): object[] {
  const byPort = Map.groupBy(groups, ({ port }) => port);
  return [...byPort.keys()]
    .sort((left, right) => left - right)
    .map((port) => ({
      addresses: byPort.get(port)!.flatMap(({ ips }) => ips.map((ip) => ({ ip }))),
      ports: [{ name: 'https', port, protocol: 'TCP' }],
    }));
}

function kubernetesEndpointSlice({ name, family, port, ips }: AddressGroup): ResourceObject {
  return {
    metadata: { name, labels: { ...serviceLabel, ...(name !== 'kubernetes' && managedLabel) } },
    addressType: family,
    endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
    ports: [{ name: 'https', protocol: 'TCP', port }],
  };
}

function reconcile(current: ResourceObject, { metadata, ...content }: ResourceObject): Reconciliation<ResourceObject> {
  // The address type of a slice is immutable.
  if (current.addressType !== content.addressType) return 'recreate';
  const labels = { ...current.metadata.labels, ...metadata.labels };
  const next = { ...current, ...content, metadata: { ...current.metadata, labels } };
  return isJsonEqual(next, current) ? 'keep' : next;
}
