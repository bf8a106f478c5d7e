import type { Authorizer, Decision } from './authorizer.ts';
import type { RuleResolver, UserRules } from './rule-resolver.ts';

const allowed: Decision = { decision: 'allow', reason: '' };
// No `deny`: an authorizer that follows may still allow it, as in kube-apiserver.
const refused: Decision = { decision: 'no-opinion', reason: 'Everything is forbidden.' };

const everything: UserRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
  evaluationError: '',
};
const nothing: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false, evaluationError: '' };

/** Everybody may do everything. */
export const alwaysAllow: Authorizer & RuleResolver = { authorize: () => allowed, rulesFor: () => everything };

/** Nobody may do anything. */
export const alwaysDeny: Authorizer & RuleResolver = { authorize: () => refused, rulesFor: () => nothing };
