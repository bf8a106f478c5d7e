import { field, int32, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { TypedLocalObjectReference } from '../core/reference-types.ts';

export const Ingress = struct('networking/v1.Ingress', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, IngressSpec),
  status: field(3, IngressStatus),
}));

export type Ingress = ObjectOf<typeof Ingress>;

export const IngressSpec = struct('networking/v1.IngressSpec', () => ({
  ingressClassName: field(4, string, { pointer: true, defaulted: true }),
  defaultBackend: field(1, IngressBackend, { pointer: true }),
  tls: field(2, listOf(IngressTLS), { list: 'atomic' }),
  rules: field(3, listOf(IngressRule), { list: 'atomic' }),
}));

export type IngressSpec = TypeOf<typeof IngressSpec>;

export const IngressBackend = struct('networking/v1.IngressBackend', () => ({
  service: field(4, IngressServiceBackend, { pointer: true }),
  resource: field(3, TypedLocalObjectReference, { pointer: true }),
}));

export type IngressBackend = TypeOf<typeof IngressBackend>;

export const IngressServiceBackend = struct('networking/v1.IngressServiceBackend', () => ({
  name: field(1, string, { required: true, always: true }),
  port: field(2, ServiceBackendPort),
}));

export const ServiceBackendPort = struct(
  'networking/v1.ServiceBackendPort',
  () => ({
    name: field(1, string),
    number: field(2, int32),
  }),
  { atomic: true },
);

export const IngressTLS = struct('networking/v1.IngressTLS', () => ({
  hosts: field(1, listOf(string), { list: 'atomic' }),
  secretName: field(2, string),
}));

export const IngressRule = struct('networking/v1.IngressRule', () => ({
  host: field(1, string),
  ingressRuleValue: field(2, IngressRuleValue, { inline: true }),
}));

export type IngressRule = TypeOf<typeof IngressRule>;

export const IngressRuleValue = struct('networking/v1.IngressRuleValue', () => ({
  http: field(1, HTTPIngressRuleValue, { pointer: true }),
}));

export const HTTPIngressRuleValue = struct('networking/v1.HTTPIngressRuleValue', () => ({
  paths: field(1, listOf(HTTPIngressPath), { required: true, always: true, list: 'atomic' }),
}));

export const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

export const HTTPIngressPath = struct('networking/v1.HTTPIngressPath', () => ({
  path: field(1, string),
  pathType: field(3, namedString('networking/v1.PathType'), {
    required: true,
    pointer: true,
    always: true,
    enum: pathTypes,
  }),
  backend: field(2, IngressBackend, { required: true, always: true }),
}));

export type HTTPIngressPath = TypeOf<typeof HTTPIngressPath>;

export const IngressStatus = struct('networking/v1.IngressStatus', () => ({
  loadBalancer: field(1, IngressLoadBalancerStatus),
}));

export type IngressStatus = TypeOf<typeof IngressStatus>;

export const IngressLoadBalancerStatus = struct('networking/v1.IngressLoadBalancerStatus', () => ({
  ingress: field(1, listOf(IngressLoadBalancerIngress), { list: 'atomic' }),
}));

export const IngressLoadBalancerIngress = struct('networking/v1.IngressLoadBalancerIngress', () => ({
  ip: field(1, string),
  hostname: field(2, string),
  ports: field(4, listOf(IngressPortStatus), { list: 'atomic' }),
}));

export const IngressPortStatus = struct('networking/v1.IngressPortStatus', () => ({
  port: field(1, int32, { required: true, always: true }),
  protocol: field(2, namedString('core/v1.Protocol'), { required: true, always: true, enum: ['TCP', 'UDP', 'SCTP'] }),
  error: field(3, string, { pointer: true }),
}));
