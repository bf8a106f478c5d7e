import { field, listOf, mapOf, namedString, quantity, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];

export const ResourceQuota = struct('core/v1.ResourceQuota', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, ResourceQuotaSpec),
  status: field(3, ResourceQuotaStatus),
}));

export type ResourceQuota = ObjectOf<typeof ResourceQuota>;

export const ResourceQuotaSpec = struct('core/v1.ResourceQuotaSpec', () => ({
  hard: field(1, mapOf(quantity)),
  scopes: field(2, listOf(namedString('core/v1.ResourceQuotaScope')), { enum: scopes, list: 'atomic' }),
  scopeSelector: field(3, ScopeSelector, { pointer: true }),
}));

export type ResourceQuotaSpec = TypeOf<typeof ResourceQuotaSpec>;

export const ScopeSelector = struct(
  'core/v1.ScopeSelector',
  () => ({
    matchExpressions: field(1, listOf(ScopedResourceSelectorRequirement), { list: 'atomic' }),
  }),
  { atomic: true },
);

export const ScopedResourceSelectorRequirement = struct('core/v1.ScopedResourceSelectorRequirement', () => ({
  scopeName: field(1, namedString('core/v1.ResourceQuotaScope'), { required: true, always: true, enum: scopes }),
  operator: field(2, namedString('core/v1.ScopeSelectorOperator'), {
    required: true,
    always: true,
    enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
  }),
  values: field(3, listOf(string), { list: 'atomic' }),
}));

export type ScopedResourceSelectorRequirement = TypeOf<typeof ScopedResourceSelectorRequirement>;

export const ResourceQuotaStatus = struct('core/v1.ResourceQuotaStatus', () => ({
  hard: field(1, mapOf(quantity)),
  used: field(2, mapOf(quantity)),
}));

export type ResourceQuotaStatus = TypeOf<typeof ResourceQuotaStatus>;

export const LimitRange = struct('core/v1.LimitRange', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, LimitRangeSpec),
}));

export const LimitRangeSpec = struct('core/v1.LimitRangeSpec', () => ({
  limits: field(1, listOf(LimitRangeItem), { required: true, always: true, list: 'atomic' }),
}));

export const LimitRangeItem = struct('core/v1.LimitRangeItem', () => ({
  type: field(1, namedString('core/v1.LimitType'), { required: true, always: true }),
  max: field(2, mapOf(quantity)),
  min: field(3, mapOf(quantity)),
  default: field(4, mapOf(quantity), { defaulted: true }),
  defaultRequest: field(5, mapOf(quantity), { defaulted: true }),
  maxLimitRequestRatio: field(6, mapOf(quantity)),
}));

export type LimitRangeItem = TypeOf<typeof LimitRangeItem>;
