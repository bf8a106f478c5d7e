import { field, listOf, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf } from '../../schema/type-of.ts';

export const ComponentStatus = struct('core/v1.ComponentStatus', () => ({
  metadata: field(1, ObjectMeta),
  conditions: field(2, listOf(ComponentCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export type ComponentStatus = ObjectOf<typeof ComponentStatus>;

export const ComponentCondition = struct('core/v1.ComponentCondition', () => ({
  type: field(1, namedString('core/v1.ComponentConditionType'), { required: true, always: true }),
  status: field(2, namedString('core/v1.ConditionStatus'), { required: true, always: true }),
  message: field(3, string),
  error: field(4, string),
}));
