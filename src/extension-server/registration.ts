import { isIP } from 'node:net';
import { ApiError } from '../client/api-error.ts';
import type { Client, ResourceReference } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { GroupVersion } from './resource-type.ts';

/** How the API server finds this one. */
export interface RegistrationOptions {
  /** The service in front of this server. The port is that of the service. Default: 443. */
  readonly service: { readonly namespace: string; readonly name: string; readonly port?: number };
  /**
   * The IP address or host name under which the API server reaches this one. With it, the service is created or updated
   * with this address. Without it, the service must exist, as is usual for a program in a pod.
   */
  readonly address?: string;
  /** Groups with a higher number come first in discovery. Default: 1000. */
  readonly groupPriorityMinimum?: number;
  /** Versions with a higher number come first in their group. Default: 15. */
  readonly versionPriority?: number;
  /**
   * Whether a stop removes the registered objects. Otherwise requests fail until the server runs again. Default: false.
   */
  readonly removeOnStop?: boolean;
}

export interface Registered extends GroupVersion {
  readonly client: Client;
  readonly options: RegistrationOptions;
  /** The CA (PEM) of the serving certificate. Undefined if the API server trusts the certificate without it. */
  readonly ca: string | undefined;
  /** The port at which this server listens. */
  readonly port: number;
}

const fieldManager = 'keelson-extension';
const apiServices = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
const services = { group: '', version: 'v1', resource: 'services' };
const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
const loopback = /^(127\.|::1$|localhost$)/;

/** Registers the group version, and the service if this server manages it. Idempotent. */
export async function register(registered: Registered): Promise<void> {
  for (const { type, object } of registrationObjects(registered)) {
    const { namespace = '', name = '' } = object.metadata;
    const resource = registered.client.resource(type, namespace);
    await resource.patchOnly(name, object, { type: 'apply', fieldManager, force: true });
  }
}

export async function unregister(registered: Registered): Promise<void> {
  for (const { type, object } of registrationObjects(registered).reverse()) {
    const { namespace = '', name = '' } = object.metadata;
    await registered.client
      .resource(type, namespace)
      .delete(name)
      .catch((error) => {
        if (!(error instanceof ApiError) || error.code !== 404) throw error;
      });
  }
}

interface RegistrationObject {
  readonly type: ResourceReference;
  readonly object: ResourceObject;
}

/** Returns the objects in the order in which they are created. */
export function registrationObjects({ options, group, version, ca, port }: Registered): RegistrationObject[] {
  const { service, address, groupPriorityMinimum = 1000, versionPriority = 15 } = options;
  const target = address === undefined ? undefined : serviceTo(address, { ...service, targetPort: port });
  const apiService = {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum,
      versionPriority,
      service: { namespace: service.namespace, name: service.name, port: target?.port ?? service.port ?? 443 },
      ...(ca !== undefined && { caBundle: Buffer.from(ca).toString('base64') }),
    },
  };
  return [...(target?.objects ?? []), { type: apiServices, object: apiService }];
}

interface ServiceTarget {
  readonly namespace: string;
  readonly name: string;
  readonly port?: number;
  readonly targetPort: number;
}

function serviceTo(address: string, { namespace, name, port = 443, targetPort }: ServiceTarget) {
  const kind = { kind: 'Service', apiVersion: 'v1', metadata: { namespace, name } };
  if (isIP(address) === 0 || loopback.test(address)) {
    // Endpoints must not have loopback addresses. An external name has no port mapping, so the service uses the port of
    // this server.
    const externalName = loopback.test(address) ? 'localhost' : address;
    const spec = { type: 'ExternalName', externalName };
    return { port: targetPort, objects: [{ type: services, object: { ...kind, spec } }] };
  }
  const ports = [{ name: 'https', port, targetPort, protocol: 'TCP' }];
  const slice = {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: {
      namespace,
      name: `${name}-extension`,
      labels: { 'kubernetes.io/service-name': name, 'endpointslice.kubernetes.io/managed-by': fieldManager },
    },
    addressType: isIP(address) === 6 ? 'IPv6' : 'IPv4',
    ports: [{ name: 'https', port: targetPort, protocol: 'TCP' }],
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
  };
  const service = { ...kind, spec: { type: 'ClusterIP', ports } };
  return {
    port,
    objects: [
      { type: services, object: service },
      { type: endpointSlices, object: slice },
    ],
  };
}
