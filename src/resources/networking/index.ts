import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { ingressClassRules } from './ingress-class-rules.ts';
import { IngressClass } from './ingress-class-types.ts';
import { ingressRules } from './ingress-rules.ts';
import { Ingress } from './ingress-types.ts';
import { networkPolicyRules } from './network-policy-rules.ts';
import { NetworkPolicy } from './network-policy-types.ts';
import { ipAddressRules, serviceCidrRules } from './service-address-rules.ts';
import { IPAddress, ServiceCIDR } from './service-address-types.ts';

/** The `networking.k8s.io` group: ways into a cluster, rules between pods, and the addresses of services. */
const v1 = { group: 'networking.k8s.io', version: 'v1' };

export const networkingResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'ingressclasses', {
    schema: IngressClass,
    scope: 'cluster',
    generation: true,
    ...ingressClassRules,
  }),
  defineResource(v1, 'ingresses', {
    schema: Ingress,
    shortNames: ['ing'],
    subresources: [status],
    generation: true,
    storage: { keyPrefix: 'ingress' },
    ...ingressRules,
  }),
  defineResource(v1, 'ipaddresses', { schema: IPAddress, scope: 'cluster', shortNames: ['ip'], ...ipAddressRules }),
  defineResource(v1, 'networkpolicies', {
    schema: NetworkPolicy,
    shortNames: ['netpol'],
    generation: true,
    ...networkPolicyRules,
  }),
  defineResource(v1, 'servicecidrs', {
    schema: ServiceCIDR,
    scope: 'cluster',
    subresources: [status],
    ...serviceCidrRules,
  }),
];
