import { connectionFailure, DeadlineError, type NetworkAddress } from '../client/index.ts';
import { goQuote } from '../meta/go-quote.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import {
  type APIServiceCondition,
  groupVersionOf,
  groupVersionPath,
  type RemoteAPIService,
  type ServiceReference,
} from './api-service.ts';
import type { ExtensionAccess } from './extension-access.ts';
import { userHeaders } from './user-headers.ts';

const tries = 5;
/** Only the status matters, but the response must be complete. */
const maxResponseBytes = 5 * 1024 * 1024;

const services = { group: '', version: 'v1', resource: 'services' };
const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const endpoints = { group: '', version: 'v1', resource: 'endpoints' };

/** The user of the server's own requests to extension servers, which permit it everything. */
export const aggregatorUser = { name: 'system:kube-aggregator', uid: '', groups: ['system:masters'], extra: {} };

export type Availability = Required<Pick<APIServiceCondition, 'status' | 'reason' | 'message'>>;

export const localAvailability: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

interface NamedPort {
  readonly name?: string | null;
  readonly port?: number | null;
}

interface ServiceSpec {
  readonly type?: string;
  readonly ports?: readonly NamedPort[];
}

interface SliceContent {
  readonly ports?: readonly NamedPort[] | null;
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean | null } }[] | null;
}

interface EndpointsContent {
  readonly subsets?: readonly { readonly ports?: readonly NamedPort[]; readonly addresses?: readonly unknown[] }[];
}

export interface AvailabilityCheckOptions {
  readonly objects: ObjectReader;
  readonly access: ExtensionAccess;
}

/** Finds out whether the server of an APIService can be reached and serves the group version. */
export async function checkAvailability(
  { metadata: { name = '' }, spec }: RemoteAPIService,
  { objects, access }: AvailabilityCheckOptions,
): Promise<Availability> {
  const missing = await missingBackend(spec.service, objects);
  if (missing !== undefined) return missing;
  const probe = () => probeDiscovery(access, spec, groupVersionPath(groupVersionOf(name)));
  try {
    await probe().catch(async () => {
      // One of several endpoints may be out of order.
      const others = await Promise.allSettled(Array.from({ length: tries - 1 }, probe));
      if (others.some(({ status }) => status === 'fulfilled')) return;
      throw (others.at(-1) as PromiseRejectedResult).reason as Error;
    });
  } catch (error) {
    return { status: 'False', reason: 'FailedDiscoveryCheck', message: (error as Error).message };
  }
  return { status: 'True', reason: 'Passed', message: 'all checks passed' };
}

/** Undefined when the service has endpoints. Only services with a cluster IP need them. */
async function missingBackend(reference: ServiceReference, objects: ObjectReader): Promise<Availability | undefined> {
  const { namespace, name, port = 443 } = reference;
  const service = `service/${name} in ${goQuote(namespace)}`;
  const unavailable = (reason: string, message: string): Availability => ({ status: 'False', reason, message });
  const unknown = (reason: string, error: unknown): Availability => ({
    status: 'Unknown',
    reason,
    message: `${service} cannot be checked due to: ${(error as Error).message}`,
  });
  let found: ResourceObject | undefined;
  try {
    found = await objects.get(services, { namespace, name });
  } catch (error) {
    return unknown('ServiceAccessError', error);
  }
  if (found === undefined) return unavailable('ServiceNotFound', `${service} is not present`);
  const { type, ports = [] } = (found.spec ?? {}) as ServiceSpec;
  if (type !== 'ClusterIP') return undefined;
  const offered = ports.find((one) => one.port === port);
  if (offered === undefined) return unavailable('ServicePortError', `${service} is not listening on port ${port}`);
  const portName = offered.name ?? '';
  try {
    const has = await endpointsWith(portName, reference, objects);
    if (has === undefined) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${service}`);
    if (has) return undefined;
  } catch (error) {
    return unknown('EndpointsAccessError', error);
  }
  return unavailable(
    'MissingEndpoints',
    `endpointslices for ${service} have no addresses with port name ${goQuote(portName)}`,
  );
}

/** Whether there is a ready endpoint with the port. Undefined when nothing is known about endpoints. */
async function endpointsWith(
  portName: string,
  { namespace, name }: ServiceReference,
  objects: ObjectReader,
): Promise<boolean | undefined> {
  const hasPort = (ports: readonly NamedPort[] | null | undefined): boolean =>
    ports?.some((one) => (one.name ?? '') === portName && typeof one.port === 'number') === true;
  const slices = (await objects.list(endpointSlices, namespace)).filter(
    ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name,
  ) as SliceContent[];
  if (slices.length > 0) {
    return slices.some(
      (slice) =>
        slice.endpoints?.some(({ conditions }) => conditions?.ready !== false) === true && hasPort(slice.ports),
    );
  }
  const written = (await objects.get(endpoints, { namespace, name })) as EndpointsContent | undefined;
  return written && (written.subsets ?? []).some(({ addresses = [], ports }) => addresses.length > 0 && hasPort(ports));
}

/** Requests a document that the server must have, over a new connection. Rejects with the message for the condition. */
async function probeDiscovery(access: ExtensionAccess, spec: RemoteAPIService['spec'], path: string): Promise<void> {
  const address = await access.resolve(spec.service);
  const url = `https://${hostAndPort(address)}${path}`;
  const failed = (problem: string): Error => new Error(`failing or missing response from ${url}: ${problem}`);
  const target = access.target(spec, address);
  const { timeoutMs } = access;
  let status: number;
  try {
    ({ status } = await target.get({ path, headers: userHeaders(aggregatorUser), maxResponseBytes, timeoutMs }));
  } catch (error) {
    const problem =
      error instanceof DeadlineError
        ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
        : connectionFailure(error as Error);
    throw failed(`Get ${goQuote(url)}: ${problem}`);
  } finally {
    target.close();
  }
  if (status < 200 || status > 299) throw failed(`bad status from ${url}: ${status}`);
}

function hostAndPort({ host, port }: NetworkAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
