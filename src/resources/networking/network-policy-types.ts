import { field, int32, intOrString, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { LabelSelector, ObjectMeta } from '../../schema/meta-types.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const NetworkPolicy = struct('networking/v1.NetworkPolicy', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, NetworkPolicySpec),
}));

export const NetworkPolicySpec = struct('networking/v1.NetworkPolicySpec', () => ({
  podSelector: field(1, LabelSelector, { always: true }),
  ingress: field(2, listOf(NetworkPolicyIngressRule), { list: 'atomic' }),
  egress: field(3, listOf(NetworkPolicyEgressRule), { list: 'atomic' }),
  policyTypes: field(4, listOf(namedString('networking/v1.PolicyType')), {
    enum: ['Ingress', 'Egress'],
    list: 'atomic',
    defaulted: true,
  }),
}));

export type NetworkPolicySpec = TypeOf<typeof NetworkPolicySpec>;

export const NetworkPolicyIngressRule = struct('networking/v1.NetworkPolicyIngressRule', () => ({
  ports: field(1, listOf(NetworkPolicyPort), { list: 'atomic' }),
  from: field(2, listOf(NetworkPolicyPeer), { list: 'atomic' }),
}));

export type NetworkPolicyIngressRule = TypeOf<typeof NetworkPolicyIngressRule>;

export const protocols = ['TCP', 'UDP', 'SCTP'];

export const NetworkPolicyPort = struct('networking/v1.NetworkPolicyPort', () => ({
  protocol: field(1, namedString('core/v1.Protocol'), {
    pointer: true,
    defaulted: true,
    enum: protocols,
  }),
  port: field(2, intOrString, { pointer: true }),
  endPort: field(3, int32, { pointer: true }),
}));

export type NetworkPolicyPort = TypeOf<typeof NetworkPolicyPort>;

export const NetworkPolicyPeer = struct('networking/v1.NetworkPolicyPeer', () => ({
  podSelector: field(1, LabelSelector, { pointer: true }),
  namespaceSelector: field(2, LabelSelector, { pointer: true }),
  ipBlock: field(3, IPBlock, { pointer: true }),
}));

export type NetworkPolicyPeer = TypeOf<typeof NetworkPolicyPeer>;

export const IPBlock = struct('networking/v1.IPBlock', () => ({
  cidr: field(1, string, { required: true, always: true }),
  except: field(2, listOf(string), { list: 'atomic' }),
}));

export type IPBlock = TypeOf<typeof IPBlock>;

export const NetworkPolicyEgressRule = struct('networking/v1.NetworkPolicyEgressRule', () => ({
  ports: field(1, listOf(NetworkPolicyPort), { list: 'atomic' }),
  to: field(2, listOf(NetworkPolicyPeer), { list: 'atomic' }),
}));

export type NetworkPolicyEgressRule = TypeOf<typeof NetworkPolicyEgressRule>;
