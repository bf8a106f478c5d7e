import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';

/** What may be done with resources. An absent list of names means every name. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Everything that is known of what a user may do in a namespace. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** True when some of it cannot be listed, because an authorizer decides case by case. */
  readonly incomplete: boolean;
  /** Why it is incomplete, or which role is missing; empty otherwise. */
  readonly evaluationError: string;
}

/** An authorizer that can say beforehand what it would allow. */
export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): MaybePromise<UserRules>;
}
