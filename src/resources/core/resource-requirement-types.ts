import { field, listOf, mapOf, quantity, string, struct } from '../../schema/builders.ts';
import type { TypeOf } from '../../schema/type-of.ts';

export const ResourceRequirements = struct('core/v1.ResourceRequirements', () => ({
  limits: field(1, mapOf(quantity), { defaulted: true }),
  requests: field(2, mapOf(quantity), { defaulted: true }),
  claims: field(3, listOf(ResourceClaim), { list: ['name'] }),
}));

export type ResourceRequirements = TypeOf<typeof ResourceRequirements>;

export const ResourceClaim = struct('core/v1.ResourceClaim', () => ({
  name: field(1, string, { required: true, always: true }),
  request: field(2, string),
}));

export type ResourceClaim = TypeOf<typeof ResourceClaim>;
