import type { ResourceObject } from '../../../meta/object.ts';
import type { ServicePort, ServiceSpec, ServiceStatus } from '../service-types.ts';
import { isExternallyAccessible, needsClusterIp, specOf } from './service-spec.ts';

const affinityTimeoutSeconds = 10_800;

/** Sets the defaults that do not depend on the cluster. The allocation sets IP families and addresses. */
export function setServiceDefaults(object: ResourceObject): void {
  const spec = specOf(object);
  spec.sessionAffinity ??= 'None';
  if (spec.sessionAffinity === 'None') spec.sessionAffinityConfig = undefined;
  if (spec.sessionAffinity === 'ClientIP') setAffinityTimeout(spec);
  spec.type ??= 'ClusterIP';
  for (const port of spec.ports ?? []) setPortDefaults(port);
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ??= 'Cluster';
  if (needsClusterIp(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of (object.status as ServiceStatus | undefined)?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}

function setAffinityTimeout(spec: ServiceSpec): void {
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinityTimeoutSeconds } };
}

function setPortDefaults(port: ServicePort): void {
  port.protocol ??= 'TCP';
  if (!port.targetPort) port.targetPort = port.port ?? 0;
}
