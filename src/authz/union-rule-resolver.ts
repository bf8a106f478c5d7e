import { joinedErrors } from '../meta/joined-errors.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { RuleResolver, UserRules } from './rule-resolver.ts';

/** Combines the rules of several authorizers. */
export class UnionRuleResolver implements RuleResolver {
  readonly #resolvers: readonly RuleResolver[];

  constructor(resolvers: readonly RuleResolver[]) {
    this.#resolvers = resolvers;
  }

  /** Rules are in the order of the authorizers. Synchronous when all resolvers are. */
  rulesFor(user: UserInfo, namespace: string): MaybePromise<UserRules> {
    const resolved = this.#resolvers.map((resolver) => resolver.rulesFor(user, namespace));
    return resolved.some((rules) => rules instanceof Promise)
      ? Promise.all(resolved).then(combineRules)
      : combineRules(resolved as UserRules[]);
  }
}

function combineRules(rules: readonly UserRules[]): UserRules {
  return {
    resourceRules: rules.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: rules.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: rules.some(({ incomplete }) => incomplete),
    evaluationError: joinedErrors(rules.map(({ evaluationError }) => evaluationError)),
  };
}

const none: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false, evaluationError: '' };

/**
 * The rules of an authorizer that decides case by case and cannot list its rules. `mode` names it in the error:
 * `webhook`, `node`. The list is incomplete only for users for whom `appliesTo` is true.
 */
export function incompleteRules(mode: string, appliesTo: (user: UserInfo) => boolean = () => true): RuleResolver {
  const evaluationError = `${mode} authorizer does not support user rule resolution`;
  const incompleteList: UserRules = { ...none, incomplete: true, evaluationError };
  return { rulesFor: (user) => (appliesTo(user) ? incompleteList : none) };
}
