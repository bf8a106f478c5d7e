import { bool, field, int32, intOrString, listOf, mapOf, namedString, string, struct } from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const Service = struct('core/v1.Service', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ServiceSpec),
  status: field(3, ServiceStatus),
}));

export type Service = ObjectOf<typeof Service>;

export const ServiceSpec = struct('core/v1.ServiceSpec', () => ({
  ports: field(1, listOf(ServicePort), {
    list: ['port', 'protocol'],
    patch: { strategies: ['merge'], mergeKey: 'port' },
  }),
  selector: field(2, mapOf(string), { map: 'atomic' }),
  clusterIP: field(3, string, { defaulted: true }),
  clusterIPs: field(18, listOf(string), { list: 'atomic', defaulted: true }),
  type: field(4, namedString('core/v1.ServiceType'), {
    enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
    defaulted: true,
  }),
  externalIPs: field(5, listOf(string), { list: 'atomic' }),
  sessionAffinity: field(7, namedString('core/v1.ServiceAffinity'), { enum: ['ClientIP', 'None'], defaulted: true }),
  loadBalancerIP: field(8, string),
  loadBalancerSourceRanges: field(9, listOf(string), { list: 'atomic' }),
  externalName: field(10, string),
  externalTrafficPolicy: field(11, namedString('core/v1.ServiceExternalTrafficPolicy'), {
    enum: ['Cluster', 'Local'],
    defaulted: true,
  }),
  healthCheckNodePort: field(12, int32, { defaulted: true }),
  publishNotReadyAddresses: field(13, bool),
  sessionAffinityConfig: field(14, SessionAffinityConfig, { pointer: true, defaulted: true }),
  ipFamilies: field(19, listOf(namedString('core/v1.IPFamily')), {
    enum: ['IPv4', 'IPv6', ''],
    list: 'atomic',
    defaulted: true,
  }),
  ipFamilyPolicy: field(17, namedString('core/v1.IPFamilyPolicy'), {
    pointer: true,
    enum: ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
    defaulted: true,
  }),
  allocateLoadBalancerNodePorts: field(20, bool, { pointer: true, defaulted: true }),
  loadBalancerClass: field(21, string, { pointer: true }),
  internalTrafficPolicy: field(22, namedString('core/v1.ServiceInternalTrafficPolicy'), {
    pointer: true,
    enum: ['Cluster', 'Local'],
    defaulted: true,
  }),
  trafficDistribution: field(23, string, { pointer: true }),
}));

export type ServiceSpec = TypeOf<typeof ServiceSpec>;

export const ServicePort = struct('core/v1.ServicePort', () => ({
  name: field(1, string),
  protocol: field(2, namedString('core/v1.Protocol'), { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] }),
  appProtocol: field(6, string, { pointer: true }),
  port: field(3, int32, { required: true, always: true }),
  targetPort: field(4, intOrString, { defaulted: true }),
  nodePort: field(5, int32, { defaulted: true }),
}));

export type ServicePort = TypeOf<typeof ServicePort>;

export const SessionAffinityConfig = struct('core/v1.SessionAffinityConfig', () => ({
  clientIP: field(1, ClientIPConfig, { pointer: true }),
}));

export const ClientIPConfig = struct('core/v1.ClientIPConfig', () => ({
  timeoutSeconds: field(1, int32, { pointer: true }),
}));

export const ServiceStatus = struct('core/v1.ServiceStatus', () => ({
  loadBalancer: field(1, LoadBalancerStatus),
  conditions: field(2, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
}));

export type ServiceStatus = TypeOf<typeof ServiceStatus>;

export const LoadBalancerStatus = struct('core/v1.LoadBalancerStatus', () => ({
  ingress: field(1, listOf(LoadBalancerIngress), { list: 'atomic' }),
}));

export type LoadBalancerStatus = TypeOf<typeof LoadBalancerStatus>;

export const LoadBalancerIngress = struct('core/v1.LoadBalancerIngress', () => ({
  ip: field(1, string),
  hostname: field(2, string),
  ipMode: field(3, namedString('core/v1.LoadBalancerIPMode'), { pointer: true, defaulted: true }),
  ports: field(4, listOf(PortStatus), { list: 'atomic' }),
}));

export type LoadBalancerIngress = TypeOf<typeof LoadBalancerIngress>;

export const PortStatus = struct('core/v1.PortStatus', () => ({
  port: field(1, int32, { required: true, always: true }),
  protocol: field(2, namedString('core/v1.Protocol'), { required: true, always: true, enum: ['TCP', 'UDP', 'SCTP'] }),
  error: field(3, string, { pointer: true }),
}));
