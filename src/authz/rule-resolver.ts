import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';

/** Permissions on resources. Absent `resourceNames` mean every name. */
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

/** The known permissions of a user in a namespace. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** True when the list is not complete, because an authorizer decides case by case. */
  readonly incomplete: boolean;
  /** Why the list is incomplete, or which role is missing. Otherwise empty. */
  readonly evaluationError: string;
}

/** Lists the permissions of a user in advance. */
export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): MaybePromise<UserRules>;
}
