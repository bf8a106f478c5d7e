import type { RequestedResource } from '../../authz/index.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { RequestedUser } from './requested-user.ts';

const nodePrefix = 'system:node:';
const accountPrefix = 'system:serviceaccount:';
const nodeName = 'authentication.kubernetes.io/node-name';

/** One kind of permission to impersonate a user. */
export interface ImpersonationMode {
  /** The verb that the requester must be allowed on each of the identities. */
  readonly verb: string;
  readonly identities: readonly RequestedResource[];
  /**
   * Set in constrained modes: maps the verb of the request to the verb that the requester must be allowed on its
   * target.
   */
  readonly verbOn?: (verb: string) => string;
  readonly user: UserInfo;
}

/** The modes that permit only some actions, in the order in which they are tried. */
export function constrainedModes(requester: UserInfo, wanted: RequestedUser): ImpersonationMode[] {
  // A cluster administrator needs no constrained permission.
  if (requester.groups.includes('system:masters')) return [];
  if (wanted.name.startsWith(nodePrefix)) return nodeModes(requester, wanted);
  const account = accountOf(wanted.name);
  if (account !== undefined)
    return [constrained('serviceaccount', wanted, [authentication('serviceaccounts', account)])];
  return [constrained('user-info', wanted, [authentication('users', { name: wanted.name })])];
}

/** The classic mode: the requester may do everything that the impersonated user may do. */
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

/**
 * The modes for impersonating a node. A service account bound to that node has a mode that needs less permission.
 * Neither allows additional groups, a UID or extra fields.
 */
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

/** Undefined when the name does not denote a service account. */
function accountOf(name: string): { namespace: string; name: string } | undefined {
  if (!name.startsWith(accountPrefix)) return undefined;
  const [namespace = '', account = '', ...more] = name.slice(accountPrefix.length).split(':');
  return namespace === '' || account === '' || more.length > 0 ? undefined : { namespace, name: account };
}

/** Adds the groups that follow from the name, unless the request names other groups. */
function userFor({ name, uid, groups: requested, extra }: RequestedUser): UserInfo {
  const account = accountOf(name);
  const byName = account === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const groups = requested.length > 0 ? [...requested] : byName;
  if (name === 'system:anonymous') {
    if (!groups.includes('system:unauthenticated')) groups.push('system:unauthenticated');
  } else if (!groups.includes('system:unauthenticated') && !groups.includes('system:authenticated')) {
    groups.push('system:authenticated');
  }
  return { name, uid, groups, extra };
}

type ResourceFields = Partial<RequestedResource>;

function core(resource: string, fields: ResourceFields): RequestedResource {
  return { group: '', version: 'v1', resource, subresource: '', namespace: '', name: '', ...fields };
}

function authentication(resource: string, fields: ResourceFields): RequestedResource {
  return core(resource, { group: 'authentication.k8s.io', ...fields });
}
