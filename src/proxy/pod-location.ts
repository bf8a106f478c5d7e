import { goQuote } from '../meta/go-quote.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { notFound, unclassified } from '../meta/status-error.ts';
import { addressNotAllowed } from './allowed-address.ts';
import { type LocationRules, locationAt, type ProxyLocation, parseProxiedName, portNumber } from './proxy-location.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

interface PodContent {
  readonly spec?: {
    readonly containers?: readonly {
      readonly ports?: readonly { readonly containerPort?: number }[];
    }[];
  };
  readonly status?: { readonly podIP?: string; readonly podIPs?: readonly { readonly ip?: string }[] };
}

/** Returns the location of a pod. Rejects with the error to respond with. */
export async function podLocation(
  objects: ObjectReader,
  { namespace, name: text }: { readonly namespace: string; readonly name: string },
  { isAllowed }: LocationRules,
): Promise<ProxyLocation> {
  const requested = parseProxiedName(text);
  const hasNumericPort = requested !== undefined && (requested.port === '' || portNumber(requested.port) !== undefined);
  if (!hasNumericPort) throw unclassified(`invalid pod request ${goQuote(text)}`);
  const { scheme, name, port } = requested;
  const pod = await objects.get(pods, { namespace, name });
  if (pod === undefined) throw notFound(pods, name);
  const [host = ''] = podAddresses(pod);
  if (!isAllowed(host)) throw addressNotAllowed();
  return locationAt(scheme, { host, port: portNumber(port) ?? firstPort(pod) });
}

/** The IP addresses of a pod. If the two fields differ, the older one is used. */
export function podAddresses(pod: ResourceObject): string[] {
  const { podIP = '', podIPs = [] } = (pod as PodContent).status ?? {};
  const addresses = podIPs.flatMap(({ ip }) => ip ?? []);
  return podIP === '' || addresses[0] === podIP ? addresses : [podIP];
}

function firstPort(pod: ResourceObject): number | undefined {
  const { containers = [] } = (pod as PodContent).spec ?? {};
  return containers.flatMap(({ ports = [] }) => ports)[0]?.containerPort;
}
