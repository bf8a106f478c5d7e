/** Which requests a webhook or a policy applies to: rules, versions, labels. Expressions are elsewhere. */
export type { MatchConstraints, MatchRule } from './match-constraints.ts';
export { matchesSelectors } from './match-selectors.ts';
export { dependsOnName, isExemptFromPolicies, isExemptFromWebhooks, matchTarget } from './match-target.ts';
