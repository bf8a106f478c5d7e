import type { ResourceObject } from '../meta/object.ts';
import type { ResourceSet } from '../registry/index.ts';
import { headlessIp, needsHealthCheckNodePort, specOf } from '../resources/core/service/service-spec.ts';
import type { ServiceSpec } from '../resources/core/service-types.ts';
import type { Claim } from './address-objects.ts';
import { canonicalAddress } from './canonical-address.ts';

export const services = { group: '', version: 'v1', resource: 'services' };

/** The addresses and ports of one service. */
export interface ServiceUsage extends Claim {
  /** In canonical form. */
  readonly ips: readonly string[];
  readonly ports: readonly number[];
}

export function claimOf({ metadata: { uid = '', namespace = '', name = '' } }: ResourceObject): Claim {
  return { uid, namespace, name };
}

export function usageOf(service: ResourceObject): ServiceUsage {
  const spec = specOf(service);
  return { ...claimOf(service), ips: addressesOf(spec).map(canonicalAddress), ports: nodePortsOf(spec) };
}

/** The addresses and ports of all stored services, from a consistent read. */
export async function currentUsage(resources: ResourceSet): Promise<ServiceUsage[]> {
  return (await resources.current.list(services, '')).map(usageOf);
}

export function addressesOf({ type, clusterIPs = [] }: ServiceSpec): readonly string[] {
  return type === 'ExternalName' || clusterIPs[0] === headlessIp ? [] : clusterIPs;
}

export function nodePortsOf(spec: ServiceSpec): number[] {
  const ports = (spec.ports ?? []).flatMap(({ nodePort }) => nodePort || []);
  const { healthCheckNodePort } = spec;
  return healthCheckNodePort && needsHealthCheckNodePort(spec) ? [...ports, healthCheckNodePort] : ports;
}
