import { randomInt } from 'node:crypto';
import type { WebhookService } from '../client/webhook/index.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { readyEndpoints } from '../proxy/index.ts';

const services = { group: '', version: 'v1', resource: 'services' };

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

/**
 * Returns the address for a port of a service: one of its ready endpoints. This server does not route cluster IPs. It
 * uses them only for services without endpoints, and then relies on the network to route them.
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
  if (ready.length > 0) {
    const { host, port: targetPort } = ready[randomInt(ready.length)]!;
    return { host, port: targetPort };
  }
  if (clusterIP === '' || clusterIP === 'None') return { host: `${name}.${namespace}.svc`, port };
  return { host: clusterIP, port };
}
