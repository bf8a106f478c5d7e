import type { RequestedResource } from '../../authz/index.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { RequestedUser } from './requested-user.ts';

const nodePrefix = 'system:node:';
const accountPrefix = 'system:serviceaccount:';
const nodeName = 'authentication.kubernetes.io/node-name';

/** One way to be allowed to act as somebody else. */
export interface ImpersonationMode {
  /** What the requester must be allowed to do with each of the identities. */
  readonly verb: string;
  readonly identities: readonly RequestedResource[];
  /** In this mode only some actions are allowed: this is what the requester must be allowed for the one requested. */
  readonly verbOn?: (verb: string) => string;
  readonly user: UserInfo;
}

/** The ways in which only some actions are allowed in another's name, in the order in which they are tried. */
export function constrainedModes(requester: UserInfo, wanted: RequestedUser): ImpersonationMode[] {
  // Who may do everything needs no permission for some of it, and is not constrained by it.
  if (requester.groups.includes('system:masters')) return [];
  if (wanted.name.startsWith(nodePrefix)) return nodeModes(requester, wanted);
  const account = accountOf(wanted.name);
  if (account !== undefined)
    return [constrained('serviceaccount', wanted, [authentication('serviceaccounts', account)])];
  return [constrained('user-info', wanted, [authentication('users', { name: wanted.name })])];
}

/** Whoever may impersonate at all may do everything in the other's name that the other may do. */
export function unconstrainedMode(wanted: RequestedUser): ImpersonationMode {
  const account = accountOf(wanted.name);
  const who = account === undefined ? core('users', { name: wanted.name }) : core('serviceaccounts', account);
  const groups = wanted.groups.map((name) => core('groups', { name }));
  return { verb: 'impersonate', identities: [who, ...groups, ...detailsOf(wanted)], user: userFor(wanted) };
}

function constrained(mode: string, wanted: RequestedUser, who: readonly RequestedResource[]): ImpersonationMode {
  const groups = wanted.groups.map((name) => authentication('groups', { name }));
  return {
    verb: `impersonate:${mode}`,
    verbOn: (verb) => `impersonate-on:${mode}:${verb}`,
    identities: [...who, ...groups, ...detailsOf(wanted)],
    user: userFor(wanted),
  };
}

/** A program on a node may be allowed less: to act as that node. Both act as nothing but the node. */
function nodeModes(requester: UserInfo, wanted: RequestedUser): ImpersonationMode[] {
  if (wanted.groups.length > 0 || wanted.uid !== '' || Object.keys(wanted.extra).length > 0) return [];
  const name = wanted.name.slice(nodePrefix.length);
  const asNode = { ...wanted, groups: ['system:nodes'] };
  const modeFor = (mode: string, identity: string): ImpersonationMode => ({
    ...constrained(mode, wanted, [authentication('nodes', { name: identity })]),
    user: userFor(asNode),
  });
  const modes = [modeFor('arbitrary-node', name)];
  const isOnNode = requester.name.startsWith(accountPrefix) && requester.extra[nodeName]?.join() === name;
  return isOnNode ? [modeFor('associated-node', '*'), ...modes] : modes;
}

function detailsOf({ uid, extra }: RequestedUser): RequestedResource[] {
  const uids = uid === '' ? [] : [authentication('uids', { name: uid })];
  const extras = Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((name) => authentication('userextras', { name, subresource })),
  );
  return [...extras, ...uids];
}

/** Undefined when the name is not one of a service account. */
function accountOf(name: string): { namespace: string; name: string } | undefined {
  if (!name.startsWith(accountPrefix)) return undefined;
  const [namespace = '', account = '', ...more] = name.slice(accountPrefix.length).split(':');
  return namespace === '' || account === '' || more.length > 0 ? undefined : { namespace, name: account };
}

/** Everybody is in the groups that the name alone brings, unless other ones are asked for. */
function userFor({ name, uid, groups: asked, extra }: RequestedUser): UserInfo {
  const account = accountOf(name);
  const byName = account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const groups = asked.length > 0 ? [...asked] : byName;
  if (name === 'system:anonymous') {
    if (!groups.includes('system:unauthenticated')) groups.push('system:unauthenticated');
  } else if (!groups.includes('system:unauthenticated') && !groups.includes('system:authenticated')) {
    groups.push('system:authenticated');
  }
  return { name, uid, groups, extra };
}

type Part = Partial<RequestedResource>;

function core(resource: string, part: Part): RequestedResource {
  return { group: '', version: 'v1', resource, subresource: '', namespace: '', name: '', ...part };
}

function authentication(resource: string, part: Part): RequestedResource {
  return core(resource, { group: 'authentication.k8s.io', ...part });
}
