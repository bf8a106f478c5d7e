import { describe, expect, it } from 'vitest';
import type { Attributes, Authorizer } from '../../authz/index.ts';
import { RbacAuthorizer, RbacIndex } from '../../authz/rbac/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { roleEscalation } from './role-escalation.ts';

const group = 'rbac.authorization.k8s.io';
const noObjects: ObjectReader = { get: () => undefined, list: () => [] };
const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
const carol = user('carol', 'dev', 'system:authenticated');
const who = 'user "carol" (groups=["dev" "system:authenticated"])';
const getPods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
const notHeld = 'is attempting to grant RBAC permissions not currently held:';

const index = new RbacIndex();
const rbac = new RbacAuthorizer(index);
const clusterRole = (name: string, ...rules: object[]) => index.putClusterRole({ metadata: { name }, rules });
function bind(name: string, roleRef: object, subject: string, namespace?: string): void {
  const object = { metadata: { name, namespace }, roleRef, subjects: [{ kind: 'User', name: subject }] };
  if (namespace === undefined) index.putClusterRoleBinding(object);
  else index.putRoleBinding(object);
}
const ref = (name: string, kind = 'ClusterRole') => ({ apiGroup: group, kind, name });
clusterRole('cluster-admin', everything, { nonResourceURLs: ['*'], verbs: ['*'] });
clusterRole('all-resources', everything);
clusterRole('pods', getPods);
clusterRole('gathering', getPods);
clusterRole('secrets', { apiGroups: [''], resources: ['secrets'], verbs: ['get'] });
index.putRole({ metadata: { name: 'pods', namespace: 'n' }, rules: [getPods] });
index.putRole({ metadata: { name: 'secrets', namespace: 'n' }, rules: [{ ...getPods, resources: ['secrets'] }] });
bind('carol', ref('pods'), 'carol');
bind('carol', ref('secrets'), 'carol', 'n');
bind('root', ref('cluster-admin'), 'root');
bind('half', ref('all-resources'), 'half');
bind('dave', ref('nothere'), 'dave');
bind('dave', ref('neither', 'Role'), 'dave', 'n');
clusterRole('may-escalate', { apiGroups: [group], resources: ['roles', 'clusterroles'], verbs: ['escalate'] });
bind('escal', ref('may-escalate'), 'escal');
clusterRole('may-escalate-one', {
  apiGroups: [group],
  resources: ['clusterroles'],
  verbs: ['escalate'],
  resourceNames: ['mine'],
});
bind('one', ref('may-escalate-one'), 'one');
clusterRole('may-bind', {
  apiGroups: [group],
  resources: ['clusterroles', 'roles'],
  verbs: ['bind'],
  resourceNames: ['cluster-admin', 'later'],
});
bind('binder', ref('may-bind'), 'binder');
bind('binder', ref('may-bind'), 'local', 'n');

interface WriteOptions {
  readonly by?: AdmissionRequest['user'];
  readonly oldObject?: ResourceObject;
  readonly authorizer?: Authorizer;
}

function admit(resource: string, object: ResourceObject, options: WriteOptions = {}): unknown {
  const { by = carol, oldObject, authorizer = rbac } = options;
  const operation = oldObject === undefined ? ('CREATE' as const) : ('UPDATE' as const);
  const { name = '', namespace = '' } = object.metadata;
  const target = testTarget(`${group}/${resource}`, 'Role');
  const request = testRequest(target, { operation, namespace, name, object, oldObject, user: by });
  const pass = { isReinvocation: false, reinvoke: () => {}, memory: new Map() };
  return roleEscalation({ authorizer, rbac }).mutate!(request, noObjects, pass);
}

function refusal(...write: Parameters<typeof admit>): unknown {
  try {
    return admit(...write);
  } catch (error) {
    return error instanceof StatusError ? error.status : error;
  }
}

const role = (name: string, ...rules: object[]) => ({ metadata: { name }, rules });
const binding = (name: string, roleRef: object, namespace?: string): ResourceObject => ({
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  roleRef,
  subjects: [{ kind: 'User', name: 'bob' }],
});

describe('roles', () => {
  it('may contain permissions of their author', () => {
    expect(admit('clusterroles', role('e1', getPods))).toBeUndefined();
    expect(admit('clusterroles', role('none'))).toBeUndefined();
    expect(admit('clusterroles', { metadata: { name: 'null' }, rules: null })).toBeUndefined();
  });

  it('must not contain others', () => {
    const rules = [
      { apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get', 'list'] },
      { nonResourceURLs: ['/x'], verbs: ['get'] },
    ];
    expect(refusal('clusterroles', role('e2', ...rules))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        `clusterroles.${group} "e2" is forbidden: ${who} ${notHeld}\n` +
        '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}\n' +
        '{NonResourceURLs:["/x"], Verbs:["get"]}',
      reason: 'Forbidden',
      details: { name: 'e2', group, kind: 'clusterroles' },
      code: 403,
    });
    const one = { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['x'], verbs: ['get'] };
    expect(refusal('roles', { metadata: { name: 'e3', namespace: 'n' }, rules: [one] })).toMatchObject({
      message:
        `roles.${group} "e3" is forbidden: ${who} ${notHeld}\n` +
        '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["x"], Verbs:["get"]}',
    });
    expect(refusal('clusterroles', { metadata: { generateName: 'e-' }, rules: [everything] })).toMatchObject({
      message: `clusterroles.${group} is forbidden: ${who} ${notHeld}\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}`,
    });
  });

  it('considers permissions in the namespace of the role', () => {
    const rules = [{ ...getPods, resources: ['secrets'] }];
    expect(admit('roles', { metadata: { name: 'a', namespace: 'n' }, rules })).toBeUndefined();
    expect(() => admit('roles', { metadata: { name: 'a', namespace: 'm' }, rules })).toThrow(notHeld);
    expect(() => admit('clusterroles', { metadata: { name: 'a' }, rules })).toThrow(notHeld);
  });

  it('names missing roles of the author', () => {
    expect(
      refusal('roles', { metadata: { name: 'a', namespace: 'n' }, rules: [getPods] }, { by: user('dave') }),
    ).toMatchObject({
      message:
        `roles.${group} "a" is forbidden: user "dave" (groups=[]) ${notHeld}\n` +
        '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}; resolution errors: ' +
        `[[roles.${group} "nothere" not found, roles.${group} "neither" not found]]`,
    });
    expect(() => admit('clusterroles', role('a', getPods), { by: user('dave') })).toThrow(
      `resolution errors: [clusterroles.${group} "nothere" not found]`,
    );
  });

  it.each([
    ['a member of system:masters', user('m', 'system:masters'), 'any'],
    ['who may escalate', user('escal'), 'any'],
    ['who may escalate this one', user('one'), 'mine'],
    ['who may do everything with resources, which is to escalate as well', user('half'), 'any'],
  ])('take everything from %s', (_, by, name) => {
    expect(admit('clusterroles', role(name, everything), { by })).toBeUndefined();
    const gathering = { ...role(name), aggregationRule: { clusterRoleSelectors: [{}] } };
    expect(admit('clusterroles', gathering, { by })).toBeUndefined();
  });

  it('need the escalate permission for this role, not for another one', () => {
    expect(() => admit('clusterroles', role('other', getPods), { by: user('one') })).toThrow(notHeld);
  });

  it('may aggregate others only if the author has all permissions', () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const message = `clusterroles.${group} "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule`;
    const gathering = { ...role('agg', getPods), aggregationRule };
    const plain = role('agg', getPods);
    expect(refusal('clusterroles', { ...role('agg'), aggregationRule })).toMatchObject({ message, code: 403 });
    expect(refusal('clusterroles', gathering, { oldObject: plain })).toMatchObject({ message });
    expect(refusal('clusterroles', plain, { oldObject: gathering })).toMatchObject({ message });
    const authorizer: Authorizer = { authorize: () => ({ decision: 'no-opinion', reason: '' }) };
    expect(refusal('clusterroles', gathering, { by: user('half'), authorizer })).toMatchObject({ message });
    expect(admit('clusterroles', gathering, { by: user('root'), authorizer })).toBeUndefined();
    expect(admit('clusterroles', { ...plain, aggregationRule: { clusterRoleSelectors: [] } })).toBeUndefined();
  });

  it('may be changed within the permissions held, and their owners by anyone', () => {
    const oldObject = { ...role('big', everything), metadata: { name: 'big', uid: 'u', finalizers: ['a'] } };
    const change = (metadata: object, rules: object[] = [everything]) =>
      refusal('clusterroles', { ...oldObject, rules, metadata: { ...oldObject.metadata, ...metadata } }, { oldObject });
    expect(change({ finalizers: undefined })).toBeUndefined();
    expect(change({ ownerReferences: [{ uid: 'x' }], managedFields: [{}], resourceVersion: '7' })).toBeUndefined();
    expect(change({}, [getPods])).toBeUndefined();
    const refused = { message: expect.stringContaining('{APIGroups:["*"], Resources:["*"], Verbs:["*"]}') };
    // A label can aggregate the role into a role of other users.
    expect(change({ labels: { a: 'b' } })).toMatchObject(refused);
    expect(change({ annotations: { a: 'b' } })).toMatchObject(refused);
    expect(change({}, [getPods, everything])).toMatchObject(refused);
  });

  it('are refused when they are too large to compare', () => {
    const many = Array.from({ length: 2000 }, (_, number) => `x${number}`);
    expect(() => admit('clusterroles', role('huge', { apiGroups: many, resources: many, verbs: many }))).toThrow(
      `clusterroles.${group} "huge" is forbidden: ${who} is attempting to grant more RBAC permissions than can be compared with those currently held`,
    );
  });
});

describe('bindings', () => {
  it('may grant permissions of their author', () => {
    expect(admit('clusterrolebindings', binding('b2', ref('pods')))).toBeUndefined();
    expect(admit('rolebindings', binding('b2', ref('pods', 'Role'), 'n'))).toBeUndefined();
    expect(admit('rolebindings', binding('b2', ref('secrets', 'Role'), 'n'))).toBeUndefined();
    expect(admit('rolebindings', binding('b2', ref('secrets'), 'n'))).toBeUndefined();
  });

  it('must not grant others', () => {
    const message =
      `clusterrolebindings.${group} "b1" is forbidden: ${who} ${notHeld}\n` +
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}';
    expect(refusal('clusterrolebindings', binding('b1', ref('cluster-admin')))).toMatchObject({ message, code: 403 });
    expect(() => admit('clusterrolebindings', binding('b1', ref('secrets')))).toThrow(notHeld);
    expect(() => admit('rolebindings', binding('b1', ref('secrets'), 'm'))).toThrow(notHeld);
  });

  it('must refer to existing roles', () => {
    expect(refusal('clusterrolebindings', binding('b3', ref('nothere')))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `clusterrolebindings.${group} "nothere" not found`,
      reason: 'NotFound',
      details: { name: 'nothere', group, kind: 'clusterrolebindings' },
      code: 404,
    });
    expect(refusal('rolebindings', binding('b3', ref('pods', 'Role'), 'm'))).toMatchObject({
      message: `rolebindings.${group} "pods" not found`,
    });
    expect(
      admit('clusterrolebindings', binding('b3', ref('nothere')), { by: user('m', 'system:masters') }),
    ).toBeUndefined();
  });

  it('may grant anything with the bind permission for the role', () => {
    const admin = ref('cluster-admin');
    expect(admit('clusterrolebindings', binding('b', admin), { by: user('binder') })).toBeUndefined();
    expect(admit('clusterrolebindings', binding('b', ref('later')), { by: user('binder') })).toBeUndefined();
    expect(() => admit('clusterrolebindings', binding('b', ref('pods')), { by: user('binder') })).toThrow(notHeld);
    expect(admit('rolebindings', binding('b', admin, 'n'), { by: user('local') })).toBeUndefined();
    expect(() => admit('rolebindings', binding('b', admin, 'm'), { by: user('local') })).toThrow(notHeld);
    expect(() => admit('clusterrolebindings', binding('b', admin), { by: user('local') })).toThrow(notHeld);
    expect(() => admit('clusterrolebindings', binding('b', admin), { by: user('escal') })).toThrow(notHeld);
  });

  it('get no new subjects for a role with permissions not held', () => {
    const oldObject = binding('b', ref('cluster-admin'));
    const more = { ...oldObject, subjects: [{ kind: 'User', name: 'carol' }] };
    expect(() => admit('clusterrolebindings', more, { oldObject })).toThrow(notHeld);
    expect(
      admit('clusterrolebindings', { ...oldObject, metadata: { name: 'b', finalizers: ['x'] } }, { oldObject }),
    ).toBeUndefined();
  });

  it.each([
    ['clusterrolebindings', binding('b', ref('pods', 'Role'))],
    ['rolebindings', binding('b', ref('pods', 'Thing'), 'n')],
    ['rolebindings', { metadata: { name: 'b', namespace: 'n' } }],
  ])('are left to validation if they refer to no role: %s %j', (resource, object) => {
    expect(admit(resource, object)).toBeUndefined();
  });

  it('are checked even without an API group', () => {
    const roleRef = { kind: 'ClusterRole', name: 'cluster-admin' };
    expect(() => admit('clusterrolebindings', binding('b', roleRef))).toThrow(notHeld);
  });
});

describe('the authorizers', () => {
  const authorized: Attributes[] = [];
  const slow: Authorizer = {
    authorize: async (attributes) => {
      authorized.push(attributes);
      return { decision: attributes.resource?.name === 'good' ? 'allow' : 'deny', reason: '' };
    },
  };

  it('may be asynchronous, and are asked about the role', async () => {
    await expect(admit('clusterroles', role('good', everything), { authorizer: slow })).resolves.toBeUndefined();
    await expect(admit('clusterroles', role('bad', everything), { authorizer: slow })).rejects.toThrow(notHeld);
    await expect(admit('rolebindings', binding('x', ref('good'), 'n'), { authorizer: slow })).resolves.toBeUndefined();
    const about = { group, version: '*', subresource: '' };
    expect(authorized.map(({ verb, resource }) => ({ verb, resource }))).toEqual([
      { verb: 'escalate', resource: { ...about, resource: 'clusterroles', namespace: '', name: 'good' } },
      { verb: 'escalate', resource: { ...about, resource: 'clusterroles', namespace: '', name: 'bad' } },
      { verb: 'bind', resource: { ...about, resource: 'clusterroles', namespace: 'n', name: 'good' } },
    ]);
  });
});
