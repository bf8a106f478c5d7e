import type { ResourceObject } from '../../../meta/object.ts';
import type { Resources } from '../pod-resources.ts';
import type { ScopeRequirement } from './quota.ts';

/** Computes the usage of objects of one kind. */
export interface QuotaEvaluator {
  /** Whether a limit with this name applies to the kind. */
  concerns(name: string): boolean;
  /** The usage of the object by limit name. */
  usage(object: ResourceObject): Resources;
  /** Absent for a kind without scopes: quotas with scopes do not cover it. */
  readonly isInScope?: (object: ResourceObject, requirement: ScopeRequirement) => boolean;
  /** The fields that these limits require and the object lacks. Undefined when nothing is missing. */
  readonly missing?: (object: ResourceObject, names: readonly string[]) => string | undefined;
}
