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

/** Whether an object of the type belongs to those that the quota is about. */
export function isInScopes(quota: Quota, object: ResourceObject, evaluator: QuotaEvaluator): boolean {
  return scopesOf(quota).every((requirement) => evaluator.isInScope?.(object, requirement) === true);
}

/** How quotas count, for those who count again what is there. */
export const quotaMeasure = {
  /** Whether a limit of this name concerns the type. */
  concerns: (type: Type, name: string): boolean => evaluatorFor(type).concerns(name),
  /** More than the metadata of its objects is needed. */
  needsWholeObjects: ({ group, resource }: Type): boolean => group === '' && evaluators.has(resource),
  /** Everything that the object takes, by the names of limits. */
  usage: (type: Type, object: ResourceObject): Resources => evaluatorFor(type).usage(object),
  isInScopes: (type: Type, quota: ResourceObject, object: ResourceObject): boolean =>
    isInScopes(quota as Quota, object, evaluatorFor(type)),
};
