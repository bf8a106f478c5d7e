import type { ResourceObject } from '../../../meta/object.ts';
import type { Resources } from '../pod-resources.ts';
import type { ScopeRequirement } from './quota.ts';

/** How the objects of one kind count. */
export interface QuotaEvaluator {
  /** Whether a limit of this name concerns the kind. */
  concerns(name: string): boolean;
  /** Everything that the object takes, by the names of limits. */
  usage(object: ResourceObject): Resources;
  /** A kind that has no scopes is not counted by quotas that have. */
  readonly isInScope?: (object: ResourceObject, requirement: ScopeRequirement) => boolean;
  /** What the object does not say although one of these limits needs it. Undefined when nothing is missing. */
  readonly missing?: (object: ResourceObject, names: readonly string[]) => string | undefined;
}
