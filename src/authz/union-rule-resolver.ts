import { joinedErrors } from '../meta/joined-errors.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { RuleResolver, UserRules } from './rule-resolver.ts';

/** The rules of several authorizers together: a user may do what any of them allows. */
export class UnionRuleResolver implements RuleResolver {
  readonly #resolvers: readonly RuleResolver[];

  constructor(resolvers: readonly RuleResolver[]) {
    this.#resolvers = resolvers;
  }

  /** Those of the first authorizer come first. At once when all of them answer at once. */
  rulesFor(user: UserInfo, namespace: string): MaybePromise<UserRules> {
    const answers = this.#resolvers.map((resolver) => resolver.rulesFor(user, namespace));
    return answers.some((answer) => answer instanceof Promise)
      ? Promise.all(answers).then(together)
      : together(answers as UserRules[]);
  }
}

function together(parts: readonly UserRules[]): UserRules {
  return {
    resourceRules: parts.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: parts.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: parts.some(({ incomplete }) => incomplete),
    evaluationError: joinedErrors(parts.map(({ evaluationError }) => evaluationError)),
  };
}

const none: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false, evaluationError: '' };

/**
 * For an authorizer that decides case by case. `mode` names it to the user: `webhook`, `node`. Where it says nothing of other
 * users than some, `concerns` tells which these are.
 */
export function unlistedRules(mode: string, concerns: (user: UserInfo) => boolean = () => true): RuleResolver {
  const evaluationError = `${mode} authorizer does not support user rule resolution`;
  const unlisted: UserRules = { ...none, incomplete: true, evaluationError };
  return { rulesFor: (user) => (concerns(user) ? unlisted : none) };
}
