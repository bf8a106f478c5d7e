import type { ResourceObject } from '../../../meta/object.ts';
import type { ServiceSpec } from '../service-types.ts';

/** The value of `clusterIP` for a service without an address, whose DNS name resolves to its endpoints. */
export const headlessIp = 'None';

export function specOf(object: ResourceObject): ServiceSpec {
  return (object.spec as ServiceSpec | undefined) ?? {};
}

export function isHeadless({ clusterIPs }: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === headlessIp;
}

/** Includes headless services, whose cluster IP is `None`. */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer';
}

/** Whether the ports may have node ports. They keep those that they have, also when no new ones are allocated. */
export function mayHaveNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** Returns whether every port gets a node port. */
export function needsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckNodePort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

export function isExternallyAccessible({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0);
}

export function sameList(one: readonly unknown[] = [], other: readonly unknown[] = []): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
