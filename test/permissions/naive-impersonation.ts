import { type Action, mayDo, type Person, type Policy, type ResourceAction } from './naive-evaluator.ts';

/** As whom somebody wants to act. */
export interface Disguise {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Who acts in the end, or undefined when the one who asks may not act as that one. */
export function actingAs(policy: Policy, person: Person, { disguise, action }: Attempt): Person | undefined {
  const constrained = identities(disguise, 'authentication.k8s.io');
  const mode = accountOf(disguise.user) === undefined ? 'user-info' : 'serviceaccount';
  const may = (wanted: Action): boolean => mayDo(policy, person, wanted);
  const onlyThis =
    may({ ...action, verb: `impersonate-on:${mode}:${action.verb}` }) &&
    constrained.every((identity) => may({ ...identity, verb: `impersonate:${mode}` }));
  const everything = identities(disguise, '').every((identity) => may({ ...identity, verb: 'impersonate' }));
  return onlyThis || everything ? { name: disguise.user, groups: groupsOf(disguise) } : undefined;
}

interface Attempt {
  readonly disguise: Disguise;
  readonly action: Action;
}

/** The user or service account, and every group that is asked for, each by its name. */
function identities({ user, groups }: Disguise, group: string): ResourceAction[] {
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

/** Whoever names no groups gets those that come with the name. */
function groupsOf({ user, groups }: Disguise): string[] {
  const account = accountOf(user);
  const natural =
    account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const chosen = groups.length > 0 ? groups : natural;
  return [...chosen, user === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'];
}
