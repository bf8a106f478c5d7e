import { type Authorizer, allowed, notAllowed } from './authorizer.ts';
import type { RuleResolver, UserRules } from './rule-resolver.ts';

// Not `deny`: a later authorizer may still allow the request, as in kube-apiserver.
const refused = notAllowed('Everything is forbidden.');

const everything: UserRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
  evaluationError: '',
};
const nothing: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false, evaluationError: '' };

/** The mode AlwaysAllow. */
export const alwaysAllow: Authorizer & RuleResolver = { authorize: () => allowed, rulesFor: () => everything };

/** The mode AlwaysDeny. */
export const alwaysDeny: Authorizer & RuleResolver = { authorize: () => refused, rulesFor: () => nothing };
