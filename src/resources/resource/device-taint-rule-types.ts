import { field, listOf, string, struct } from '../../schema/builders.ts';
import { Condition, ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';
import { DeviceTaint } from './resource-slice-types.ts';

// Defined in v1, where the referenced types are. The served versions are derived from these types.

export const DeviceTaintRule = struct('resource/v1.DeviceTaintRule', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, DeviceTaintRuleSpec, { required: true, always: true }),
  status: field(3, DeviceTaintRuleStatus),
}));

export type DeviceTaintRule = ObjectOf<typeof DeviceTaintRule>;

export const DeviceTaintRuleSpec = struct('resource/v1.DeviceTaintRuleSpec', () => ({
  deviceSelector: field(1, DeviceTaintSelector, { pointer: true }),
  taint: field(2, DeviceTaint, { required: true }),
}));

export type DeviceTaintRuleSpec = TypeOf<typeof DeviceTaintRuleSpec>;

export const DeviceTaintSelector = struct('resource/v1.DeviceTaintSelector', () => ({
  driver: field(2, string, { pointer: true }),
  pool: field(3, string, { pointer: true }),
  device: field(4, string, { pointer: true }),
}));

export const DeviceTaintRuleStatus = struct('resource/v1.DeviceTaintRuleStatus', () => ({
  conditions: field(1, listOf(Condition), { list: ['type'], patch: { strategies: ['merge'], mergeKey: 'type' } }),
}));
