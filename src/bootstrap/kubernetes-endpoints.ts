import { isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { lookUpAndEnsureObject, type Reconciliation } from './ensure-object.ts';

interface ServerAddress {
  /** The address under which other machines reach the server. */
  readonly ip: string;
  readonly port: number;
}

/**
 * Ensures the Endpoints and the EndpointSlice of the service `kubernetes`, which point to this server. Idempotent;
 * replaces the address of an earlier start. The namespace `default` must exist.
 */
export async function ensureKubernetesEndpoints(client: Client, address: ServerAddress): Promise<void> {
  const endpoints = { group: '', version: 'v1', resource: 'endpoints' };
  const slices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
  await Promise.all([
    lookUpAndEnsureObject({
      objects: client.resource(endpoints, 'default'),
      wanted: kubernetesEndpoints(address),
      reconcile,
    }),
    lookUpAndEnsureObject({
      objects: client.resource(slices, 'default'),
      wanted: kubernetesEndpointSlice(address),
      reconcile,
    }),
  ]);
}

function kubernetesEndpoints({ ip, port }: ServerAddress): ResourceObject {
  return {
    // The server writes the slice itself, so the mirroring controller must not create another.
    metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
  };
}

function kubernetesEndpointSlice({ ip, port }: ServerAddress): ResourceObject {
  return {
    metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: isIPv6(ip) ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports: [{ name: 'https', protocol: 'TCP', port }],
  };
}

function reconcile(present: ResourceObject, { metadata, ...content }: ResourceObject): Reconciliation<ResourceObject> {
  // The address type of a slice is immutable.
  if (present.addressType !== content.addressType) return 'recreate';
  const labels = { ...present.metadata.labels, ...metadata.labels };
  const next = { ...present, ...content, metadata: { ...present.metadata, labels } };
  return isDeepStrictEqual(next, present) ? 'keep' : next;
}
