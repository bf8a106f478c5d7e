import { describe, expect, it } from 'vitest';
import type { RequestedResource } from './authorizer.ts';
import { forbiddenError } from './forbidden-error.ts';

const user = { name: 'jane', uid: '', groups: [], extra: {} };
const pods: RequestedResource = {
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: '',
};

describe('forbiddenError', () => {
  it('names a collection in a namespace', () => {
    const { status } = forbiddenError({ user, verb: 'list', resource: pods }, '');
    expect(status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
      reason: 'Forbidden',
      details: { kind: 'pods' },
      code: 403,
    });
  });

  it('names an object at the cluster scope, its subresource and the reason', () => {
    const resource = { ...pods, group: 'apps', resource: 'things', subresource: 'status', namespace: '', name: 'x' };
    const { status } = forbiddenError({ user, verb: 'update', resource }, 'RBAC: role "r" not found');
    expect(status.message).toBe(
      'things.apps "x" is forbidden: User "jane" cannot update resource "things/status" in API group "apps" at the cluster scope: RBAC: role "r" not found',
    );
    expect(status.details).toEqual({ name: 'x', group: 'apps', kind: 'things' });
  });

  it('names a path', () => {
    const { status } = forbiddenError({ user, verb: 'get', path: '/livez/ping' }, '');
    expect(status.message).toBe('forbidden: User "jane" cannot get path "/livez/ping"');
    expect(status.details).toEqual({});
  });

  it('escapes markup from the request, but not in the reason', () => {
    const mallory = { ...user, name: '<b>&"' };
    const { status } = forbiddenError({ user: mallory, verb: 'get', path: '/<x>' }, 'a < b');
    expect(status.message).toBe('forbidden: User "&lt;b&gt;&amp;\\"" cannot get path "/&lt;x&gt;": a < b');
  });
});
