import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource, status } from '../define.ts';
import { defineVersion } from '../define-version.ts';
import { deriveVersion } from '../derive-version.ts';
import { ingressClassRules } from './ingress-class-rules.ts';
import { IngressClass } from './ingress-class-types.ts';
import { ingressRules } from './ingress-rules.ts';
import { Ingress } from './ingress-types.ts';
import { networkPolicyRules } from './network-policy-rules.ts';
import { NetworkPolicy } from './network-policy-types.ts';
import { ipAddressRules, serviceCidrRules } from './service-address-rules.ts';
import { IPAddress, ServiceCIDR } from './service-address-types.ts';

/** The `networking.k8s.io` group: ingresses, network policies, and the IP addresses of services. */
const v1 = { group: 'networking.k8s.io', version: 'v1' };

const ipAddresses = defineResource(v1, 'ipaddresses', {
  schema: IPAddress,
  scope: 'cluster',
  shortNames: ['ip'],
  ...ipAddressRules,
});
const serviceCidrs = defineResource(v1, 'servicecidrs', {
  schema: ServiceCIDR,
  scope: 'cluster',
  subresources: [status],
  ...serviceCidrRules,
});

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
  ipAddresses,
  defineResource(v1, 'networkpolicies', {
    schema: NetworkPolicy,
    shortNames: ['netpol'],
    generation: true,
    generationCountsEmpty: true,
    ...networkPolicyRules,
  }),
  serviceCidrs,
];

const v1beta1Type = deriveVersion({ from: 'networking/v1', to: 'networking/v1beta1' });

export const optionalNetworkingResources: readonly ResourceDefinition[] = [ipAddresses, serviceCidrs].map(
  (definition) =>
    defineVersion(definition, {
      version: 'v1beta1',
      schema: v1beta1Type(definition.schema),
      deprecated: { since: 34, unavailable: 37 },
    }),
);
