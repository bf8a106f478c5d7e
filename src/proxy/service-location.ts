import { randomInt } from 'node:crypto';
import { goQuote } from '../meta/go-quote.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { badRequest, notFound, serviceUnavailable } from '../meta/status-error.ts';
import { podAddresses } from './pod-location.ts';
import { type LocationRules, locationAt, type ProxyLocation, parseProxiedName } from './proxy-location.ts';
import { readyEndpoints, type ServiceEndpoint } from './service-endpoints.ts';

const services = { group: '', version: 'v1', resource: 'services' };
const pods = { group: '', version: 'v1', resource: 'pods' };

interface ServiceContent {
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port?: number }[] };
}

/** Returns the location of a ready pod of a service. Throws or rejects with the error to respond with. */
export function serviceLocation(
  objects: ObjectReader,
  { namespace, name: text }: { readonly namespace: string; readonly name: string },
  { isAllowed }: LocationRules,
): MaybePromise<ProxyLocation> {
  const requested = parseProxiedName(text);
  if (requested === undefined) throw badRequest(`invalid service request ${goQuote(text)}`);
  const { scheme, name, port } = requested;
  const ready = mapMaybe(objects.get(services, { namespace, name }), (service) => {
    if (service === undefined) throw notFound(services, name);
    const portName = /^\d+$/.test(port) ? nameOfPort(service as ServiceContent, { name, port: Number(port) }) : port;
    return readyEndpoints(objects, { namespace, name, portName });
  });
  return mapMaybe(ready, (endpoints) => {
    if (endpoints.length === 0) throw noEndpoints(name);
    const first = randomInt(endpoints.length);
    const tried = [...endpoints.slice(first), ...endpoints.slice(0, first)];
    const isPod = (endpoint: ServiceEndpoint) => isAllowed(endpoint.host) && isPodOf(objects, namespace, endpoint);
    return mapMaybe(firstWhere(tried, isPod), (endpoint) => {
      if (endpoint === undefined) throw noEndpoints(text);
      return locationAt(scheme, endpoint);
    });
  });
}

function nameOfPort({ spec }: ServiceContent, { name, port }: { name: string; port: number }): string {
  const offered = spec?.ports?.find((one) => one.port === port);
  if (offered === undefined) throw serviceUnavailable(`no service port ${port} found for service ${goQuote(name)}`);
  return offered.name ?? '';
}

function noEndpoints(name: string): Error {
  return serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
}

function firstWhere(
  endpoints: readonly ServiceEndpoint[],
  isWanted: (endpoint: ServiceEndpoint) => MaybePromise<boolean>,
): MaybePromise<ServiceEndpoint | undefined> {
  for (const [index, endpoint] of endpoints.entries()) {
    const found = isWanted(endpoint);
    if (found instanceof Promise) {
      return found.then((isFound) => (isFound ? endpoint : firstWhere(endpoints.slice(index + 1), isWanted)));
    }
    if (found) return endpoint;
  }
  return undefined;
}

/**
 * Whether the endpoint is a pod of the namespace. Otherwise users who may write endpoints could make the server connect
 * to any address.
 */
function isPodOf(
  objects: ObjectReader,
  namespace: string,
  { host, targetRef }: ServiceEndpoint,
): MaybePromise<boolean> {
  if (targetRef?.name === undefined || targetRef.namespace !== namespace) return false;
  return mapMaybe(
    objects.get(pods, { namespace, name: targetRef.name }),
    (pod) => pod !== undefined && podAddresses(pod).includes(host),
  );
}
