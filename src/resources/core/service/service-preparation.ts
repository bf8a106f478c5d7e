import type { ResourceObject } from '../../../meta/object.ts';
import type { ServiceSpec } from '../service-types.ts';
import {
  isExternallyAccessible,
  mayHaveNodePorts,
  needsClusterIp,
  needsHealthCheckNodePort,
  sameList,
  specOf,
} from './service-spec.ts';

/** Sets `clusterIPs` for clients that set only `clusterIP`. */
export function prepareServiceCreate(object: ResourceObject): void {
  const spec = copySpec(object);
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
  dropUnusedPolicy(spec);
}

/** Keeps allocated values that the client omits, and drops those that the service no longer needs. */
export function prepareServiceUpdate(next: ResourceObject, oldObject: ResourceObject): void {
  const spec = copySpec(next);
  const before = specOf(oldObject);
  keepAddresses(spec, before);
  keepPorts(spec, before);
  syncAddresses(spec, before);
  dropAddresses(spec, before);
  dropPorts(spec, before);
  dropPolicies(spec, before);
  dropUnusedPolicy(spec);
  if (spec.type !== 'LoadBalancer') next.status = { ...(next.status as object | undefined), loadBalancer: {} };
}

/** Responses never show the policy for such a service. An invalid policy is kept, so that validation rejects it. */
function dropUnusedPolicy(spec: ServiceSpec): void {
  const { type, internalTrafficPolicy: policy } = spec;
  if (type === 'ExternalName' && (policy === 'Cluster' || policy === 'Local')) spec.internalTrafficPolicy = undefined;
}

/** Replaces the spec with a copy: a retried write must start from the object that the client sent. */
function copySpec(object: ResourceObject): ServiceSpec {
  const { ports, ...rest } = specOf(object);
  const spec: ServiceSpec = { ports: ports?.map((port) => ({ ...port })), ...rest };
  object.spec = spec;
  return spec;
}

function keepAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  if (!needsClusterIp(spec) || !needsClusterIp(before)) return;
  if (!spec.clusterIP) spec.clusterIP = before.clusterIP;
  if (!spec.clusterIPs?.length && spec.clusterIP === before.clusterIP) spec.clusterIPs = before.clusterIPs;
}

function keepPorts(spec: ServiceSpec, before: ServiceSpec): void {
  if (mayHaveNodePorts(spec) && mayHaveNodePorts(before)) keepNodePorts(spec, before);
  if (needsHealthCheckNodePort(spec) && needsHealthCheckNodePort(before)) {
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
  }
}

/** Matches ports by name: the client may have changed all other fields. */
function keepNodePorts({ ports = [] }: ServiceSpec, before: ServiceSpec): void {
  const old = before.ports ?? [];
  const used = new Set(ports.flatMap(({ nodePort }) => (nodePort && hasNodePort(old, nodePort) ? [nodePort] : [])));
  const byName = new Map(old.map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of ports) {
    const kept = port.nodePort ? undefined : byName.get(port.name ?? '');
    if (!kept || used.has(kept)) continue;
    port.nodePort = kept;
    used.add(kept);
  }
}

function hasNodePort(ports: NonNullable<ServiceSpec['ports']>, nodePort: number): boolean {
  return ports.some((port) => port.nodePort === nodePort);
}

/** Updates `clusterIPs` for clients that changed only `clusterIP`. */
function syncAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  const { clusterIP = '' } = spec;
  if (clusterIP === (before.clusterIP ?? '')) return;
  if (clusterIP === '') {
    if (sameList(spec.clusterIPs, before.clusterIPs)) spec.clusterIPs = undefined;
  } else if (!spec.clusterIPs?.length || sameList(spec.clusterIPs, before.clusterIPs)) {
    spec.clusterIPs = [clusterIP];
  }
}

function dropAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  if (!needsClusterIp(before) || needsClusterIp(spec)) return;
  if (sameList(spec.clusterIPs, before.clusterIPs)) {
    spec.clusterIP = undefined;
    spec.clusterIPs = undefined;
  }
  if (sameList(spec.ipFamilies, before.ipFamilies)) spec.ipFamilies = undefined;
  if (spec.ipFamilyPolicy === before.ipFamilyPolicy) spec.ipFamilyPolicy = undefined;
  if (spec.internalTrafficPolicy === before.internalTrafficPolicy) spec.internalTrafficPolicy = undefined;
}

function dropPorts(spec: ServiceSpec, before: ServiceSpec): void {
  const { ports = [] } = spec;
  if (mayHaveNodePorts(before) && !mayHaveNodePorts(spec)) {
    const old = before.ports ?? [];
    const hasNoNewPorts = ports.every(({ nodePort }) => !nodePort || hasNodePort(old, nodePort));
    for (const port of hasNoNewPorts ? ports : []) port.nodePort = undefined;
  }
  if (!needsHealthCheckNodePort(before) || needsHealthCheckNodePort(spec)) return;
  if (spec.healthCheckNodePort === before.healthCheckNodePort) spec.healthCheckNodePort = undefined;
}

function dropPolicies(spec: ServiceSpec, before: ServiceSpec): void {
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === before.allocateLoadBalancerNodePorts) {
      spec.allocateLoadBalancerNodePorts = undefined;
    }
    if (spec.loadBalancerClass === before.loadBalancerClass) spec.loadBalancerClass = undefined;
  }
  if (isExternallyAccessible(before) && !isExternallyAccessible(spec)) {
    if (spec.externalTrafficPolicy === before.externalTrafficPolicy) spec.externalTrafficPolicy = undefined;
  }
}
