import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { IngressClass } from './ingress-class-types.ts';
import { Ingress } from './ingress-types.ts';
import { NetworkPolicy } from './network-policy-types.ts';
import { IPAddress, ServiceCIDR } from './service-address-types.ts';

/** The `networking.k8s.io` group: ways into a cluster, rules between pods, and the addresses of services. */
const v1 = { group: 'networking.k8s.io', version: 'v1' };

export const networkingResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'ingressclasses', { schema: IngressClass, scope: 'cluster', generation: true }),
  defineResource(v1, 'ingresses', {
    schema: Ingress,
    shortNames: ['ing'],
    subresources: [status],
    generation: true,
    storage: { keyPrefix: 'ingress' },
  }),
  defineResource(v1, 'ipaddresses', { schema: IPAddress, scope: 'cluster', shortNames: ['ip'] }),
  defineResource(v1, 'networkpolicies', { schema: NetworkPolicy, shortNames: ['netpol'], generation: true }),
  defineResource(v1, 'servicecidrs', { schema: ServiceCIDR, scope: 'cluster', subresources: [status] }),
];
