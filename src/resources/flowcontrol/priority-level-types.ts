import { field, int32, listOf, namedString, string, struct, time } from '../../schema/builders.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';
import type { ObjectOf, TypeOf } from '../../schema/type-of.ts';

export const PriorityLevelConfiguration = struct('flowcontrol/v1.PriorityLevelConfiguration', () => ({
  metadata: field(1, ObjectMeta),
  spec: field(2, PriorityLevelConfigurationSpec),
  status: field(3, PriorityLevelConfigurationStatus),
}));

export type PriorityLevelConfiguration = ObjectOf<typeof PriorityLevelConfiguration>;

export const PriorityLevelConfigurationSpec = struct(
  'flowcontrol/v1.PriorityLevelConfigurationSpec',
  () => ({
    type: field(1, namedString('flowcontrol/v1.PriorityLevelEnablement'), { required: true, always: true }),
    limited: field(2, LimitedPriorityLevelConfiguration, { pointer: true }),
    exempt: field(3, ExemptPriorityLevelConfiguration, { pointer: true }),
  }),
  { unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }] },
);

export type PriorityLevelConfigurationSpec = TypeOf<typeof PriorityLevelConfigurationSpec>;

export const LimitedPriorityLevelConfiguration = struct('flowcontrol/v1.LimitedPriorityLevelConfiguration', () => ({
  nominalConcurrencyShares: field(1, int32, { pointer: true, always: true, defaulted: true }),
  limitResponse: field(2, LimitResponse),
  lendablePercent: field(3, int32, { pointer: true, defaulted: true }),
  borrowingLimitPercent: field(4, int32, { pointer: true }),
}));

export type LimitedPriorityLevelConfiguration = TypeOf<typeof LimitedPriorityLevelConfiguration>;

export const LimitResponse = struct(
  'flowcontrol/v1.LimitResponse',
  () => ({
    type: field(1, namedString('flowcontrol/v1.LimitResponseType'), { required: true, always: true }),
    queuing: field(2, QueuingConfiguration, { pointer: true }),
  }),
  { unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }] },
);

export type LimitResponse = TypeOf<typeof LimitResponse>;

export const QueuingConfiguration = struct('flowcontrol/v1.QueuingConfiguration', () => ({
  queues: field(1, int32, { always: true, defaulted: true }),
  handSize: field(2, int32, { always: true, defaulted: true }),
  queueLengthLimit: field(3, int32, { always: true, defaulted: true }),
}));

export type QueuingConfiguration = TypeOf<typeof QueuingConfiguration>;

export const ExemptPriorityLevelConfiguration = struct('flowcontrol/v1.ExemptPriorityLevelConfiguration', () => ({
  nominalConcurrencyShares: field(1, int32, { pointer: true, defaulted: true }),
  lendablePercent: field(2, int32, { pointer: true, defaulted: true }),
}));

export type ExemptPriorityLevelConfiguration = TypeOf<typeof ExemptPriorityLevelConfiguration>;

export const PriorityLevelConfigurationStatus = struct('flowcontrol/v1.PriorityLevelConfigurationStatus', () => ({
  conditions: field(1, listOf(PriorityLevelConfigurationCondition), {
    list: ['type'],
    patch: { strategies: ['merge'], mergeKey: 'type' },
  }),
}));

export const PriorityLevelConfigurationCondition = struct('flowcontrol/v1.PriorityLevelConfigurationCondition', () => ({
  type: field(1, namedString('flowcontrol/v1.PriorityLevelConfigurationConditionType')),
  status: field(2, namedString('flowcontrol/v1.ConditionStatus')),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
}));
