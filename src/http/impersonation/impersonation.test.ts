import { describe, expect, it } from 'vitest';
import { type Attributes, type Authorizer, forbiddenError } from '../../authz/index.ts';
import type { UserInfo } from '../../meta/user.ts';
import { Impersonation } from './impersonation.ts';
import { type RequestedUser, requestedUser } from './requested-user.ts';

const requester: UserInfo = { name: 'carol', uid: '', groups: ['system:authenticated'], extra: {} };
const pods: Attributes = {
  user: requester,
  verb: 'list',
  resource: { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'x', name: '' },
};

/** `verb resource[/subresource].group [namespace/]name`. Everything but the verb may be omitted from the end. */
function written({ verb, resource }: Attributes): string {
  const { group, namespace, name, subresource } = resource!;
  const type = `${resource!.resource}${subresource && `/${subresource}`}${group && `.${group}`}`;
  return `${verb} ${type} ${namespace && `${namespace}/`}${name}`.trim();
}

/** An authorizer that allows exactly this, and records its requests. */
function allowing(...allowed: string[]) {
  const authorized: string[] = [];
  const authorizer: Authorizer = {
    authorize(attributes) {
      authorized.push(written(attributes));
      return { decision: allowed.includes(written(attributes)) ? 'allow' : 'no-opinion', reason: '' };
    },
  };
  const impersonation = new Impersonation(authorizer);
  /** Throws the 403 like a server. */
  const impersonate = async (request: Attributes, wanted: RequestedUser): Promise<UserInfo> => {
    const outcome = await impersonation.impersonate(request, wanted);
    if ('user' in outcome) return outcome.user;
    throw forbiddenError(outcome.refusal.attributes, outcome.refusal.reason);
  };
  return { impersonation: { impersonate }, authorized };
}

const wants = (...headers: string[]) => requestedUser(headers)!;

describe('the requested user', () => {
  it.each<[string[], unknown]>([
    [['Accept', 'x', 'Authorization', 'Impersonate-User y'], undefined],
    [['Impersonate-User', ''], undefined],
    [['impersonate-user', 'a, b'], { name: 'a, b', uid: '', groups: [], extra: {} }],
    [['Impersonate-User', 'a', 'Impersonate-User', 'b'], { name: 'a', uid: '', groups: [], extra: {} }],
    [
      ['IMPERSONATE-USER', 'a', 'Impersonate-Group', 'g,1', 'impersonate-group', 'g2', 'Impersonate-Uid', '7'],
      { name: 'a', uid: '7', groups: ['g,1', 'g2'], extra: {} },
    ],
    [
      [
        'Impersonate-User',
        'a',
        'Impersonate-Extra-Acme.com%2fProject',
        'p',
        'Impersonate-Extra-acme.com%2Fproject',
        'q',
      ],
      { name: 'a', uid: '', groups: [], extra: { 'acme.com/project': ['p', 'q'] } },
    ],
    [
      ['Impersonate-User', 'a', 'Impersonate-Extra-__proto__', 'p', 'Impersonate-Extra-50%', 'q'],
      { name: 'a', uid: '', groups: [], extra: JSON.parse('{"__proto__":["p"],"50%":["q"]}') },
    ],
  ])('is read from the headers %j', (headers, expected) => {
    const found = requestedUser(headers);
    expect(found && { ...found, extra: { ...found.extra } }).toEqual(expected);
    if (found !== undefined) expect(Object.keys(found.extra)).toEqual(Object.keys((expected as UserInfo).extra));
  });

  it.each<[string[], string]>([
    [['Impersonate-Group', 'g"'], 'Groups:[]string{"g\\""}, Extra:map[string][]string(nil)}'],
    [
      ['Impersonate-Uid', 'u', 'Impersonate-User', ''],
      'UID:"u", Groups:[]string(nil), Extra:map[string][]string(nil)}',
    ],
    [
      ['Impersonate-Extra-b', '1', 'Impersonate-Extra-a', '2'],
      'Extra:map[string][]string{"a":[]string{"2"}, "b":[]string{"1"}}}',
    ],
  ])('is missing in %j', (headers, text) => {
    const parse = () => requestedUser(headers);
    expect(parse).toThrow(text);
    expect(parse).toThrow(/without impersonating a user name$/);
  });
});

describe('a requester with the permission to impersonate', () => {
  it.each<[string[], string[], Partial<UserInfo>]>([
    [['Impersonate-User', 'jane'], ['impersonate users jane'], { groups: ['system:authenticated'] }],
    [
      ['Impersonate-User', 'jane', 'Impersonate-Group', 'a', 'Impersonate-Group', 'b'],
      ['impersonate users jane', 'impersonate groups a', 'impersonate groups b'],
      { groups: ['a', 'b', 'system:authenticated'] },
    ],
    [
      ['Impersonate-User', 'jane', 'Impersonate-Uid', '1', 'Impersonate-Extra-scopes', 's'],
      [
        'impersonate users jane',
        'impersonate uids.authentication.k8s.io 1',
        'impersonate userextras/scopes.authentication.k8s.io s',
      ],
      { uid: '1', extra: { scopes: ['s'] } },
    ],
    [
      ['Impersonate-User', 'system:serviceaccount:x:bot'],
      ['impersonate serviceaccounts x/bot'],
      { groups: ['system:serviceaccounts', 'system:serviceaccounts:x', 'system:authenticated'] },
    ],
    [['Impersonate-User', 'system:serviceaccount:x'], ['impersonate users system:serviceaccount:x'], {}],
    [['Impersonate-User', 'system:node:n'], ['impersonate users system:node:n'], { groups: ['system:authenticated'] }],
    [
      ['Impersonate-User', 'system:anonymous'],
      ['impersonate users system:anonymous'],
      { groups: ['system:unauthenticated'] },
    ],
    [
      ['Impersonate-User', 'jane', 'Impersonate-Group', 'system:unauthenticated'],
      ['impersonate users jane', 'impersonate groups system:unauthenticated'],
      { groups: ['system:unauthenticated'] },
    ],
  ])('%j needs %j', async (headers, needed, expected) => {
    const wanted = wants(...headers);
    const user = await allowing(...needed).impersonation.impersonate(pods, wanted);
    expect(user).toMatchObject({ name: wanted.name, ...expected });
    for (const missing of needed) {
      const { impersonation } = allowing(...needed.filter((permission) => permission !== missing));
      await expect(impersonation.impersonate(pods, wanted)).rejects.toMatchObject({ status: { code: 403 } });
    }
  });
});

describe('a requester with the permission for one action', () => {
  const onNode = {
    ...requester,
    name: 'system:serviceaccount:x:agent',
    extra: { 'authentication.kubernetes.io/node-name': ['n'] },
  };

  it.each<[string, string[], UserInfo, string[]]>([
    [
      'jane',
      ['impersonate-on:user-info:list pods x/', 'impersonate:user-info users.authentication.k8s.io jane'],
      requester,
      ['system:authenticated'],
    ],
    [
      'system:serviceaccount:y:bot',
      [
        'impersonate-on:serviceaccount:list pods x/',
        'impersonate:serviceaccount serviceaccounts.authentication.k8s.io y/bot',
      ],
      requester,
      ['system:serviceaccounts', 'system:serviceaccounts:y', 'system:authenticated'],
    ],
    [
      'system:node:n',
      ['impersonate-on:arbitrary-node:list pods x/', 'impersonate:arbitrary-node nodes.authentication.k8s.io n'],
      requester,
      ['system:nodes', 'system:authenticated'],
    ],
    [
      'system:node:n',
      ['impersonate-on:associated-node:list pods x/', 'impersonate:associated-node nodes.authentication.k8s.io *'],
      onNode,
      ['system:nodes', 'system:authenticated'],
    ],
  ])('%s by %j', async (name, needed, by, groups) => {
    const wanted = wants('Impersonate-User', name);
    const { impersonation } = allowing(...needed);
    expect(await impersonation.impersonate({ ...pods, user: by }, wanted)).toMatchObject({ name, groups });
    // Neither half is sufficient, and no other action is allowed.
    for (const half of needed) {
      await expect(allowing(half).impersonation.impersonate({ ...pods, user: by }, wanted)).rejects.toThrow(
        'forbidden',
      );
    }
    await expect(impersonation.impersonate({ ...pods, user: by, verb: 'delete' }, wanted)).rejects.toThrow('forbidden');
  });

  it('is not checked for cluster administrators', async () => {
    const needed = [
      'impersonate-on:arbitrary-node:list pods x/',
      'impersonate:arbitrary-node nodes.authentication.k8s.io n',
    ];
    const { impersonation } = allowing(...needed, 'impersonate users system:node:n');
    const master = { ...pods, user: { ...requester, groups: ['system:masters'] } };
    const { groups } = await impersonation.impersonate(master, wants('Impersonate-User', 'system:node:n'));
    expect(groups).toEqual(['system:authenticated']);
  });

  it('a service account on a node cannot act as another node', async () => {
    const { impersonation } = allowing(
      'impersonate-on:associated-node:list pods x/',
      'impersonate:associated-node nodes.authentication.k8s.io *',
    );
    const wanted = wants('Impersonate-User', 'system:node:other');
    await expect(impersonation.impersonate({ ...pods, user: onNode }, wanted)).rejects.toThrow('forbidden');
  });
});

it('names the unconstrained permission to requesters that once had it', async () => {
  const { impersonation } = allowing('impersonate users jane');
  const asBob = () => impersonation.impersonate(pods, wants('Impersonate-User', 'bob'));
  await expect(asBob()).rejects.toThrow(
    'pods is forbidden: User "carol" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "x"',
  );
  await impersonation.impersonate(pods, wants('Impersonate-User', 'jane'));
  await expect(asBob()).rejects.toThrow(
    'users "bob" is forbidden: User "carol" cannot impersonate resource "users" in API group "" at the cluster scope',
  );
});
