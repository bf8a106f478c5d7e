import type { ResourceObject } from '../../../meta/object.ts';
import type { Resources } from '../pod-resources.ts';
import { claimEvaluator } from './claim-evaluator.ts';
import { countEvaluator } from './count-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { type Quota, scopesOf } from './quota.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

interface Type {
  readonly group: string;
  readonly resource: string;
}

const evaluators: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['persistentvolumeclaims', claimEvaluator],
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
]);

export function evaluatorFor({ group, resource }: Type): QuotaEvaluator {
  return (group === '' ? evaluators.get(resource) : undefined) ?? countEvaluator({ group, resource });
}

/** Whether the quota covers the object. */
export function isInScopes(quota: Quota, object: ResourceObject, evaluator: QuotaEvaluator): boolean {
  return scopesOf(quota).every((requirement) => evaluator.isInScope?.(object, requirement) === true);
}

/** The computation of usage, for the quota controller. */
export const quotaMeasure = {
  /** Whether a limit with this name applies to the type. */
  concerns: (type: Type, name: string): boolean => evaluatorFor(type).concerns(name),
  /** Whether the usage depends on more than metadata. */
  needsWholeObjects: ({ group, resource }: Type): boolean => group === '' && evaluators.has(resource),
  /** The usage of the object by limit name. */
  usage: (type: Type, object: ResourceObject): Resources => evaluatorFor(type).usage(object),
  isInScopes: (type: Type, quota: ResourceObject, object: ResourceObject): boolean =>
    isInScopes(quota as Quota, object, evaluatorFor(type)),
};
