import { randomInt } from 'node:crypto';
import type { WebhookService } from '../client/webhook/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';

const services = { group: '', version: 'v1', resource: 'services' };
const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const endpoints = { group: '', version: 'v1', resource: 'endpoints' };

export interface ServiceTarget {
  readonly host: string;
  readonly port: number;
}

interface NamedPort {
  readonly name?: string | null;
  readonly port?: number | null;
}

interface ServiceSpec {
  readonly type?: string;
  readonly clusterIP?: string;
  readonly externalName?: string;
  readonly ports?: readonly NamedPort[];
}

interface SliceContent {
  readonly ports?: readonly NamedPort[] | null;
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[];
    readonly conditions?: { readonly ready?: boolean | null };
  }[];
}

interface EndpointsContent {
  readonly subsets?: readonly {
    readonly ports?: readonly NamedPort[];
    readonly addresses?: readonly { readonly ip?: string }[];
  }[];
}

/**
 * Where to connect to for a port of a service: one of its ready endpoints. Nothing here routes cluster IPs, so they are
 * only used for services without endpoints, where the network has to.
 */
export async function serviceTarget(
  objects: ObjectReader,
  { namespace, name, port }: WebhookService & { readonly port: number },
): Promise<ServiceTarget> {
  const service = await objects.get(services, { namespace, name });
  if (service === undefined) throw new Error(`service "${name}" not found`);
  const { type, clusterIP = '', externalName = '', ports = [] } = (service.spec ?? {}) as ServiceSpec;
  if (type === 'ExternalName') return { host: externalName, port };
  const offered = ports.find((one) => one.port === port);
  if (offered === undefined) throw new Error(`no service port ${port} found for service "${name}"`);
  const ready = await readyEndpoints(objects, { namespace, name, portName: offered.name ?? '' });
  if (ready.length > 0) return ready[randomInt(ready.length)]!;
  if (clusterIP === '' || clusterIP === 'None') return { host: `${name}.${namespace}.svc`, port };
  return { host: clusterIP, port };
}

interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly portName: string;
}

async function readyEndpoints(objects: ObjectReader, service: ServicePort): Promise<ServiceTarget[]> {
  const { namespace, name } = service;
  const slices = await objects.list(endpointSlices, namespace);
  const ofService = slices.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  if (ofService.length > 0) return ofService.flatMap((slice) => readyInSlice(slice, service));
  const written = await objects.get(endpoints, { namespace, name });
  return ((written as EndpointsContent | undefined)?.subsets ?? []).flatMap((subset) =>
    targets(
      (subset.addresses ?? []).flatMap(({ ip }) => ip ?? []),
      portNamed(subset.ports, service),
    ),
  );
}

function readyInSlice(slice: ResourceObject, service: ServicePort): ServiceTarget[] {
  const content = slice as SliceContent;
  const ready = (content.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  return targets(
    ready.flatMap(({ addresses }) => addresses ?? []),
    portNamed(content.ports, service),
  );
}

function portNamed(ports: readonly NamedPort[] | null | undefined, { portName }: ServicePort): number | undefined {
  return ports?.find(({ name }) => (name ?? '') === portName)?.port ?? undefined;
}

function targets(hosts: readonly string[], port: number | undefined): ServiceTarget[] {
  return port === undefined ? [] : hosts.map((host) => ({ host, port }));
}
