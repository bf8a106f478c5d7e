import { type Action, isAllowed, type Policy, type ResourceAction, type User } from './naive-evaluator.ts';

/** The user and groups to impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Returns the impersonated user, or undefined if the impersonation is not allowed. */
export function impersonatedUser(policy: Policy, user: User, { impersonation, action }: Attempt): User | undefined {
  const constrained = identities(impersonation, 'authentication.k8s.io');
  const mode = accountOf(impersonation.user) === undefined ? 'user-info' : 'serviceaccount';
  const may = (wanted: Action): boolean => isAllowed(policy, user, wanted);
  const onlyThis =
    may({ ...action, verb: `impersonate-on:${mode}:${action.verb}` }) &&
    constrained.every((identity) => may({ ...identity, verb: `impersonate:${mode}` }));
  const everything = identities(impersonation, '').every((identity) => may({ ...identity, verb: 'impersonate' }));
  return onlyThis || everything ? { name: impersonation.user, groups: groupsOf(impersonation) } : undefined;
}

interface Attempt {
  readonly impersonation: Impersonation;
  readonly action: Action;
}

/** The user or service account and every requested group, each by name. */
function identities({ user, groups }: Impersonation, group: string): ResourceAction[] {
  const account = accountOf(user);
  const who = account === undefined ? { resource: 'users', name: user } : { resource: 'serviceaccounts', ...account };
  return [who, ...groups.map((name) => ({ resource: 'groups', name }))].map((identity) => ({
    verb: '',
    group,
    ...identity,
  }));
}

function accountOf(user: string): { namespace: string; name: string } | undefined {
  const [system, kind, namespace, name, ...rest] = user.split(':');
  if (system !== 'system' || kind !== 'serviceaccount' || !namespace || !name || rest.length > 0) return undefined;
  return { namespace, name };
}

/** Without requested groups, a service account gets its own groups. */
function groupsOf({ user, groups }: Impersonation): string[] {
  const account = accountOf(user);
  const natural =
    account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const chosen = groups.length > 0 ? groups : natural;
  return [...chosen, user === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'];
}
