import type { WebhookService } from '../client/webhook/index.ts';
import type { ObjectReader } from '../meta/object-reader.ts';

const services = { group: '', version: 'v1', resource: 'services' };

interface ServiceSpec {
  readonly type?: string;
  readonly clusterIP?: string;
  readonly externalName?: string;
  readonly ports?: readonly { readonly port?: number }[];
}

/** Where to connect to for a port of a service. Nothing here routes cluster IPs, so the network has to. */
export async function serviceTarget(
  objects: ObjectReader,
  { namespace, name, port }: WebhookService & { readonly port: number },
): Promise<{ readonly host: string; readonly port: number }> {
  const service = await objects.get(services, { namespace, name });
  if (service === undefined) throw new Error(`service "${name}" not found`);
  const { type, clusterIP = '', externalName = '', ports = [] } = (service.spec ?? {}) as ServiceSpec;
  if (type === 'ExternalName') return { host: externalName, port };
  if (!ports.some((offered) => offered.port === port)) {
    throw new Error(`no service port ${port} found for service "${name}"`);
  }
  if (clusterIP === '' || clusterIP === 'None') return { host: `${name}.${namespace}.svc`, port };
  return { host: clusterIP, port };
}
