import { field, listOf, string, struct } from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

// The IP ranges of services, and the addresses that are in use.

export const ServiceCIDR = struct('networking/v1.ServiceCIDR', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ServiceCIDRSpec),
  status: field(3, ServiceCIDRStatus),
}));

export type ServiceCIDR = ObjectOf<typeof ServiceCIDR>;

export const ServiceCIDRSpec = struct('networking/v1.ServiceCIDRSpec', () => ({
  cidrs: field(1, listOf(string), { list: 'atomic' }),
}));

export const ServiceCIDRStatus = struct('networking/v1.ServiceCIDRStatus', () => ({
  conditions: field(1, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
}));

export const IPAddress = struct('networking/v1.IPAddress', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, IPAddressSpec, { required: true }),
}));

export type IPAddress = ObjectOf<typeof IPAddress>;

export const IPAddressSpec = struct('networking/v1.IPAddressSpec', () => ({
  parentRef: field(1, ParentReference, { required: true, pointer: true }),
}));

export const ParentReference = struct('networking/v1.ParentReference', () => ({
  group: field(1, string),
  resource: field(2, string, { required: true }),
  namespace: field(3, string),
  name: field(4, string, { required: true }),
}));

export type ParentReference = TypeOf<typeof ParentReference>;
