import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../../meta/user.ts';
import type { Attributes, RequestedResource } from '../authorizer.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';

const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const role = (namespace: string, name: string, ...rules: object[]) => ({ metadata: { namespace, name }, rules });
const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

function bound(metadata: { name: string; namespace?: string }, roleRef: string, ...subjects: string[]) {
  const [kind, name] = roleRef.split(' ');
  return {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: subjects.map((subject) => {
      const [subjectKind, subjectName, namespace] = subject.split(' ');
      return { kind: subjectKind, name: subjectName, ...(namespace !== undefined && { namespace }) };
    }),
  };
}

/** `get apps/deployments/scale in ns named x`, or `get /path`. */
function attributes(who: UserInfo, request: string): Attributes {
  const [verb = '', what = '', ...rest] = request.split(' ');
  if (what.startsWith('/') && !what.startsWith('//')) return { user: who, verb, path: what };
  const [group = '', resource = '', subresource = ''] = what.replace(/^\/\//, '/').split('/');
  const after = (word: string) => (rest.includes(word) ? rest[rest.indexOf(word) + 1]! : '');
  const requested: RequestedResource = {
    group,
    version: 'v1',
    resource,
    subresource,
    namespace: after('in'),
    name: after('named'),
  };
  return { user: who, verb, resource: requested };
}

function authorizerWith(feed: (index: RbacIndex) => void): RbacAuthorizer {
  const index = new RbacIndex();
  feed(index);
  return new RbacAuthorizer(index);
}

/** Whether a user with one cluster role with this rule may make the request. */
function allows(rule: object, request: string): boolean {
  const authorizer = authorizerWith((index) => {
    index.putClusterRole(role('', 'r', rule));
    index.putClusterRoleBinding(bound({ name: 'b' }, 'ClusterRole r', 'User jane'));
  });
  return authorizer.authorize(attributes(user('jane'), request)).decision === 'allow';
}

describe('rules', () => {
  const verbs = ['get'];
  it.each([
    [{ verbs, apiGroups: [''], resources: ['pods'] }, 'get //pods', true],
    [{ verbs, apiGroups: [''], resources: ['pods'] }, 'get //pods in a named x', true],
    [{ verbs, apiGroups: [''], resources: ['pods'] }, 'list //pods', false],
    [{ verbs, apiGroups: [''], resources: ['pods'] }, 'get apps/pods', false],
    [{ verbs, apiGroups: [''], resources: ['pods'] }, 'get //pods/log', false],
    [{ verbs, apiGroups: [''], resources: ['pods/log'] }, 'get //pods/log named x', true],
    [{ verbs, apiGroups: [''], resources: ['pods/log'] }, 'get //pods', false],
    [{ verbs, apiGroups: [''], resources: ['*/log'] }, 'get //pods/log', true],
    [{ verbs, apiGroups: [''], resources: ['*/log'] }, 'get //pods/exec', false],
    [{ verbs, apiGroups: [''], resources: ['*/log'] }, 'get //log', false],
    [{ verbs, apiGroups: [''], resources: ['pods/*'] }, 'get //pods/log', false],
    [{ verbs, apiGroups: [''], resources: ['pods/*'] }, 'get //pods', false],
    [{ verbs, apiGroups: [''], resources: ['*'] }, 'get //pods/log', true],
    [{ verbs, apiGroups: ['*'], resources: ['pods'] }, 'get apps/pods', true],
    [{ verbs: ['*'], apiGroups: [''], resources: ['pods'] }, 'impersonate //pods', true],
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, '* */*', true],
    [{ verbs: ['get'], apiGroups: ['*'], resources: ['*'] }, '* */*', false],
    [{ verbs, apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'] }, 'get //pods named b', true],
    [{ verbs, apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'] }, 'get //pods named c', false],
    [{ verbs, apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'] }, 'get //pods', false],
    [{ verbs, apiGroups: [''], resources: ['pods'], resourceNames: [] }, 'get //pods named c', true],
    [{ verbs, apiGroups: null, resources: null }, 'get //pods', false],
    [{ verbs, nonResourceURLs: ['/healthz'] }, 'get /healthz', true],
    [{ verbs, nonResourceURLs: ['/healthz'] }, 'get /healthz/', false],
    [{ verbs, nonResourceURLs: ['/healthz'] }, 'post /healthz', false],
    [{ verbs, nonResourceURLs: ['/healthz/*'] }, 'get /healthz/a/b', true],
    [{ verbs, nonResourceURLs: ['/healthz/*'] }, 'get /healthz', false],
    [{ verbs, nonResourceURLs: ['/heal**'] }, 'get /healthz', true],
    [{ verbs, nonResourceURLs: ['*'] }, 'get /anything', true],
    [{ verbs, nonResourceURLs: ['/a*b'] }, 'get /axb', false],
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, 'get /healthz', false],
    [{ verbs, nonResourceURLs: ['*'] }, 'get //pods', false],
  ])('%j: %s is %s', (rule, request, expected) => {
    expect(allows(rule, request)).toBe(expected);
  });
});

describe('bindings', () => {
  const authorizer = authorizerWith((index) => {
    index.putRole(role('dev', 'reader', pods));
    index.putRole(role('prod', 'reader', { ...pods, verbs: ['list'] }));
    index.putClusterRole(
      role('', 'reader', { ...pods, verbs: ['watch'] }, { nonResourceURLs: ['/x'], verbs: ['get'] }),
    );
    index.putRoleBinding(bound({ namespace: 'dev', name: 'own' }, 'Role reader', 'User jane', 'ServiceAccount robot'));
    index.putRoleBinding(bound({ namespace: 'dev', name: 'shared' }, 'ClusterRole reader', 'Group readers'));
    index.putRoleBinding(bound({ namespace: 'prod', name: 'robots' }, 'Role reader', 'ServiceAccount robot dev'));
    index.putClusterRoleBinding(bound({ name: 'all' }, 'ClusterRole reader', 'Group watchers', 'ServiceAccount robot'));
    index.putClusterRoleBinding(bound({ name: 'robots' }, 'ClusterRole reader', 'ServiceAccount robot ops'));
    index.putRoleBinding(bound({ name: 'nowhere' }, 'ClusterRole reader', 'User lost'));
    index.putClusterRoleBinding(bound({ name: 'odd' }, 'Role reader', 'User odd', 'Robot odd', 'jane'));
  });
  const reason = (who: UserInfo, request: string) => {
    const { decision, reason: why } = authorizer.authorize(attributes(who, request));
    return decision === 'allow' ? why : decision;
  };
  const robot = (namespace: string) => user(`system:serviceaccount:${namespace}:robot`, 'system:serviceaccounts');

  it.each([
    [user('jane'), 'get //pods in dev', 'RBAC: allowed by RoleBinding "own/dev" of Role "reader" to User "jane"'],
    [user('jane'), 'get //pods in prod', 'no-opinion'],
    [user('jane'), 'get //pods', 'no-opinion'],
    [user('dev', 'jane'), 'get //pods in dev', 'no-opinion'],
    [
      user('x', 'y', 'readers'),
      'watch //pods in dev',
      'RBAC: allowed by RoleBinding "shared/dev" of ClusterRole "reader" to Group "readers"',
    ],
    [user('x', 'readers'), 'watch //pods', 'no-opinion'],
    [user('x', 'readers'), 'get /x', 'no-opinion'],
    [
      user('x', 'watchers'),
      'watch //pods in any',
      'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "watchers"',
    ],
    [
      user('x', 'watchers'),
      'get /x',
      'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "watchers"',
    ],
    [
      robot('dev'),
      'get //pods in dev',
      'RBAC: allowed by RoleBinding "own/dev" of Role "reader" to ServiceAccount "robot/dev"',
    ],
    [
      robot('dev'),
      'list //pods in prod',
      'RBAC: allowed by RoleBinding "robots/prod" of Role "reader" to ServiceAccount "robot/dev"',
    ],
    [robot('prod'), 'list //pods in prod', 'no-opinion'],
    [robot('dev'), 'watch //pods', 'no-opinion'],
    [
      robot('ops'),
      'watch //pods',
      'RBAC: allowed by ClusterRoleBinding "robots" of ClusterRole "reader" to ServiceAccount "robot/ops"',
    ],
    [user('robot'), 'get //pods in dev', 'no-opinion'],
    [user('lost'), 'watch //pods in dev', 'no-opinion'],
    [user('lost'), 'watch //pods', 'no-opinion'],
    [user('odd'), 'get //pods in dev', 'no-opinion'],
  ])('%j: %s', (who, request, expected) => {
    expect(reason(who, request)).toBe(expected);
    expect(reason({ ...who }, request)).toBe(expected);
  });

  it('asks the cluster scope first, then the namespace, both by name, and names the first subject', () => {
    const both = authorizerWith((index) => {
      index.putClusterRole(role('', 'r', pods));
      index.putRoleBinding(bound({ namespace: 'n', name: 'a' }, 'ClusterRole r', 'Group g', 'User jane'));
      index.putRoleBinding(bound({ namespace: 'n', name: 'A' }, 'ClusterRole r', 'User jane', 'Group g'));
      index.putClusterRoleBinding(bound({ name: 'z' }, 'ClusterRole r', 'User jane'));
      index.putClusterRoleBinding(bound({ name: 'm' }, 'ClusterRole r', 'User joe', 'Group h', 'Group g', 'User jane'));
    });
    const why = (who: UserInfo) => both.authorize(attributes(who, 'get //pods in n')).reason;
    expect(why(user('jane', 'g'))).toContain('ClusterRoleBinding "m" of ClusterRole "r" to Group "g"');
    expect(why(user('jane', 'g', 'h'))).toContain('ClusterRoleBinding "m" of ClusterRole "r" to Group "h"');
    expect(why(user('joe'))).toContain('ClusterRoleBinding "m" of ClusterRole "r" to User "joe"');
    const inNamespace = authorizerWith((index) => {
      index.putClusterRole(role('', 'r', pods));
      for (const name of ['b', 'a', 'c']) {
        index.putRoleBinding(bound({ namespace: 'n', name }, 'ClusterRole r', 'User jane'));
      }
    });
    expect(inNamespace.authorize(attributes(user('jane'), 'get //pods in n')).reason).toContain('"a/n"');
  });

  it('prefers an earlier rule for one name over a later rule for all names', () => {
    const named = authorizerWith((index) => {
      index.putClusterRole(role('', 'one', { ...pods, resourceNames: ['x'] }));
      index.putClusterRole(role('', 'all', pods));
      index.putClusterRoleBinding(bound({ name: 'a' }, 'ClusterRole one', 'User jane'));
      index.putClusterRoleBinding(bound({ name: 'b' }, 'ClusterRole all', 'User jane'));
    });
    const why = (request: string) => named.authorize(attributes(user('jane'), request)).reason;
    expect(why('get //pods named x')).toContain('"one"');
    expect(why('get //pods named y')).toContain('"all"');
    expect(why('get //pods')).toContain('"all"');
  });
});

describe('missing roles', () => {
  const index = new RbacIndex();
  const authorizer = new RbacAuthorizer(index);
  const bob = user('bob');
  const decide = (request: string) => authorizer.authorize(attributes(bob, request));

  it('are the reason for a refusal', () => {
    expect(decide('get //pods in default')).toEqual({ decision: 'no-opinion', reason: '' });
    index.putRoleBinding(bound({ namespace: 'default', name: 'missing' }, 'Role nothere', 'User bob'));
    const reason = 'RBAC: role.rbac.authorization.k8s.io "nothere" not found';
    expect(decide('get //pods in default')).toEqual({ decision: 'no-opinion', reason });
    expect(decide('get //pods in other')).toEqual({ decision: 'no-opinion', reason: '' });
    index.putClusterRoleBinding(bound({ name: 'b' }, 'ClusterRole gone', 'User bob'));
    index.putClusterRoleBinding(bound({ name: 'c' }, 'ClusterRole gone', 'User bob'));
    index.putClusterRoleBinding(bound({ name: 'd' }, 'Thing x', 'User bob'));
    const gone = 'clusterrole.rbac.authorization.k8s.io "gone" not found, unsupported role reference kind: "Thing"';
    expect(decide('get /x').reason).toBe(`RBAC: [${gone}]`);
    expect(decide('get //pods in default').reason).toBe(
      `RBAC: [${gone}, role.rbac.authorization.k8s.io "nothere" not found]`,
    );
    expect(authorizer.rulesFor(bob, 'other').evaluationError).toBe(`[${gone}]`);
  });

  it('do not prevent other roles from allowing', () => {
    index.putClusterRole(role('', 'found', pods));
    index.putRoleBinding(bound({ namespace: 'default', name: 'z' }, 'ClusterRole found', 'User bob'));
    expect(decide('get //pods in default').decision).toBe('allow');
    expect(decide('list //pods in default').decision).toBe('no-opinion');
  });
});

describe('rulesFor', () => {
  const authorizer = authorizerWith((index) => {
    const urls = { verbs: ['get'], nonResourceURLs: ['/version'] };
    index.putClusterRole(role('', 'basic', urls, { verbs: ['create'], apiGroups: ['a'], resources: ['b', 'c'] }));
    index.putClusterRole({ metadata: { name: 'empty' }, rules: null });
    index.putRole(role('default', 'reader', { ...pods, resourceNames: ['one'] }, pods));
    index.putClusterRoleBinding(bound({ name: 'basic' }, 'ClusterRole basic', 'Group system:authenticated'));
    index.putClusterRoleBinding(bound({ name: 'empty' }, 'ClusterRole empty', 'User alice'));
    index.putRoleBinding(bound({ namespace: 'default', name: 'reader' }, 'Role reader', 'User alice'));
    index.putRoleBinding(bound({ namespace: 'default', name: 'x' }, 'Role nothere', 'User bob'));
  });
  const basic = {
    resourceRules: [{ verbs: ['create'], apiGroups: ['a'], resources: ['b', 'c'] }],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
    incomplete: false,
    evaluationError: '',
  };

  it('lists rules one by one, those of the cluster scope first', () => {
    const alice = user('alice', 'system:authenticated');
    expect(authorizer.rulesFor(alice, 'default')).toStrictEqual({
      ...basic,
      resourceRules: [
        ...basic.resourceRules,
        { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['one'] },
        { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
      ],
    });
    expect(authorizer.rulesFor(alice, 'other')).toStrictEqual(basic);
    expect(authorizer.rulesFor(alice, '')).toStrictEqual(basic);
  });

  it('says which roles are missing', () => {
    expect(authorizer.rulesFor(user('bob', 'system:authenticated'), 'default')).toStrictEqual({
      ...basic,
      evaluationError: 'role.rbac.authorization.k8s.io "nothere" not found',
    });
    expect(authorizer.rulesFor(user('nobody'), 'default')).toStrictEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: false,
      evaluationError: '',
    });
  });
});

describe('the cache', () => {
  it('is invalidated by every change', () => {
    const index = new RbacIndex();
    const authorizer = new RbacAuthorizer(index);
    const jane = user('jane');
    const may = (request = 'get //pods in n') => authorizer.authorize(attributes(jane, request)).decision === 'allow';
    expect(may()).toBe(false);
    index.putRoleBinding(bound({ namespace: 'n', name: 'b' }, 'Role r', 'User jane'));
    expect(may()).toBe(false);
    index.putRole(role('n', 'r', pods));
    expect(may()).toBe(true);
    index.putRole(role('n', 'r', { ...pods, verbs: ['list'] }));
    expect(may()).toBe(false);
    expect(may('list //pods in n')).toBe(true);
    index.removeRole('n', 'r');
    expect(may('list //pods in n')).toBe(false);
    index.putRole(role('n', 'r', pods));
    index.putRoleBinding(bound({ namespace: 'n', name: 'b' }, 'Role r', 'User joe'));
    expect(may()).toBe(false);
    index.putRoleBinding(bound({ namespace: 'n', name: 'b' }, 'Role r', 'User joe', 'User jane'));
    expect(may()).toBe(true);
    index.removeRoleBinding('n', 'b');
    expect(may()).toBe(false);
  });

  it('distinguishes users whose names and groups concatenate to the same text', () => {
    const authorizer = authorizerWith((index) => {
      index.putClusterRole(role('', 'r', pods));
      index.putClusterRoleBinding(bound({ name: 'b' }, 'ClusterRole r', 'Group admins'));
    });
    const may = (who: UserInfo) => authorizer.authorize(attributes(who, 'get //pods')).decision === 'allow';
    expect(may(user('x', 'admins'))).toBe(true);
    for (const who of [
      user('xadmins'),
      user('x,admins'),
      user('1:x6:admins'),
      user('x', 'a', 'dmins'),
      user('admins'),
    ]) {
      expect(may(who)).toBe(false);
    }
    expect(may(user('xadmins', 'admins'))).toBe(true);
  });

  it('decides the same after more requests, names and users than it holds', () => {
    const authorizer = authorizerWith((index) => {
      index.putClusterRole(role('', 'r', { ...pods, resources: ['*'], resourceNames: ['x'] }));
      index.putClusterRole(role('', 'u', { verbs: ['get'], nonResourceURLs: ['/a/*'] }));
      index.putClusterRoleBinding(bound({ name: 'b' }, 'ClusterRole r', 'User jane'));
      index.putClusterRoleBinding(bound({ name: 'u' }, 'ClusterRole u', 'User jane', 'User u7'));
    });
    const jane = user('jane');
    const may = (who: UserInfo, request: string) => authorizer.authorize(attributes(who, request)).decision === 'allow';
    for (let number = 0; number < 5000; number++) {
      const allowed = may(jane, `get //r${number} in n${number} named x`);
      const long = may(jane, `get //${'r'.repeat(300)}${number} named x`);
      const others = [may(jane, `get //r${number} named y`), may(user(`u${number}`), 'put /a/b'), may(jane, 'get /b/')];
      const decisions = [allowed, long, may(jane, `get /a/${number}`), ...others].join();
      if (decisions !== 'true,true,true,false,false,false') expect.unreachable(`${number}: ${decisions}`);
    }
    expect(may(user('u7'), 'get /a/b')).toBe(true);
  });
});
