import { randomInt } from 'node:crypto';
import { goQuote } from '../meta/go-quote.ts';
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

/** A ready pod of a service. Rejects with the error to respond with. */
export async function serviceLocation(
  objects: ObjectReader,
  { namespace, name: text }: { readonly namespace: string; readonly name: string },
  { isAllowed }: LocationRules,
): Promise<ProxyLocation> {
  const asked = parseProxiedName(text);
  if (asked === undefined) throw badRequest(`invalid service request ${goQuote(text)}`);
  const { scheme, name, port } = asked;
  const service = await objects.get(services, { namespace, name });
  if (service === undefined) throw notFound(services, name);
  const portName = /^\d+$/.test(port) ? nameOfPort(service as ServiceContent, { name, port: Number(port) }) : port;
  const ready = await readyEndpoints(objects, { namespace, name, portName });
  if (ready.length === 0) throw noEndpoints(name);
  const first = randomInt(ready.length);
  for (const endpoint of [...ready.slice(first), ...ready.slice(0, first)]) {
    if (isAllowed(endpoint.host) && (await isPod(objects, namespace, endpoint))) return locationAt(scheme, endpoint);
  }
  throw noEndpoints(text);
}

function nameOfPort({ spec }: ServiceContent, { name, port }: { name: string; port: number }): string {
  const offered = spec?.ports?.find((one) => one.port === port);
  if (offered === undefined) throw serviceUnavailable(`no service port ${port} found for service ${goQuote(name)}`);
  return offered.name ?? '';
}

function noEndpoints(name: string): Error {
  return serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
}

/**
 * Whether the endpoint is a pod of the namespace. Who may write endpoints could otherwise make the server connect to any
 * address that it reaches.
 */
async function isPod(objects: ObjectReader, namespace: string, { host, targetRef }: ServiceEndpoint): Promise<boolean> {
  if (targetRef?.name === undefined || targetRef.namespace !== namespace) return false;
  const pod = await objects.get(pods, { namespace, name: targetRef.name });
  return pod !== undefined && podAddresses(pod).includes(host);
}
