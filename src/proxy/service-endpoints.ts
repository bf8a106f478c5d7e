import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';

const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const endpoints = { group: '', version: 'v1', resource: 'endpoints' };

export interface ServiceEndpoint {
  readonly host: string;
  readonly port: number;
  /** The object behind the address, usually a pod. */
  readonly targetRef?: TargetRef | null | undefined;
}

interface TargetRef {
  readonly namespace?: string;
  readonly name?: string;
}

interface NamedPort {
  readonly name?: string | null;
  readonly port?: number | null;
}

interface SliceContent {
  readonly ports?: readonly NamedPort[] | null;
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[];
    readonly conditions?: { readonly ready?: boolean | null };
    readonly targetRef?: TargetRef | null;
  }[];
}

interface EndpointsContent {
  readonly subsets?: readonly {
    readonly ports?: readonly NamedPort[];
    readonly addresses?: readonly { readonly ip?: string; readonly targetRef?: TargetRef | null }[];
  }[];
}

interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly portName: string;
}

/** The ready endpoints of a port of a service: of its slices or, if it has none, of its Endpoints. */
export function readyEndpoints(objects: ObjectReader, service: ServicePort): MaybePromise<ServiceEndpoint[]> {
  const { namespace, name } = service;
  return mapMaybe(objects.list(endpointSlices, namespace), (slices) => {
    const ofService = slices.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
    if (ofService.length > 0) return ofService.flatMap((slice) => readyInSlice(slice, service));
    return mapMaybe(objects.get(endpoints, { namespace, name }), (written) => readyInEndpoints(written, service));
  });
}

function readyInEndpoints(written: ResourceObject | undefined, service: ServicePort): ServiceEndpoint[] {
  return ((written as EndpointsContent | undefined)?.subsets ?? []).flatMap(({ addresses = [], ports }) => {
    const port = portNamed(ports, service);
    return addresses.flatMap(({ ip, targetRef }) => endpointAt(ip, port, targetRef));
  });
}

function readyInSlice(slice: ResourceObject, service: ServicePort): ServiceEndpoint[] {
  const content = slice as SliceContent;
  const port = portNamed(content.ports, service);
  return (content.endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses = [], targetRef }) => addresses.flatMap((host) => endpointAt(host, port, targetRef)));
}

function portNamed(ports: readonly NamedPort[] | null | undefined, { portName }: ServicePort): number | undefined {
  return ports?.find(({ name }) => (name ?? '') === portName)?.port ?? undefined;
}

function endpointAt(
  host: string | undefined,
  port: number | undefined,
  targetRef: TargetRef | null | undefined,
): ServiceEndpoint[] {
  return host === undefined || port === undefined ? [] : [{ host, port, targetRef }];
}
