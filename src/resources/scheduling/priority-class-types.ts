import { bool, field, int32, namedString, string, struct } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf } from '../../schema/type-of.ts';

export const preemptionPolicies = ['PreemptLowerPriority', 'Never'];

export const PriorityClass = struct('scheduling/v1.PriorityClass', () => ({
  metadata: field(1, ObjectMeta),
  value: field(2, int32, { always: true }),
  globalDefault: field(3, bool),
  description: field(4, string),
  preemptionPolicy: field(5, namedString('core/v1.PreemptionPolicy'), {
    pointer: true,
    defaulted: true,
    enum: preemptionPolicies,
  }),
}));

export type PriorityClass = ObjectOf<typeof PriorityClass>;
