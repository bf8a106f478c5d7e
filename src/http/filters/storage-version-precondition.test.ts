import { describe, expect, it } from 'vitest';
import { serverUser, type UserInfo } from '../../meta/user.ts';
import { InMemoryExchange } from '../discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../object-formats.ts';
import { RequestContext } from '../request-context.ts';
import { requestInfo } from '../request-info.ts';
import { type PendingStorageVersions, storageVersionPrecondition } from './storage-version-precondition.ts';

const jane: UserInfo = { name: 'jane', uid: '', groups: ['system:masters'], extra: {} };
const pending: PendingStorageVersions = {
  isComplete: false,
  isPending: ({ resource }) => resource !== 'subjectaccessreviews' && resource !== 'secrets',
  lastError: ({ resource }) => (resource === 'deployments' ? new Error('no quorum') : undefined),
};

function passes(versions: PendingStorageVersions, request: string, user = jane): boolean {
  const [method = '', path = ''] = request.split(' ');
  const exchange = new InMemoryExchange(path);
  const info = requestInfo(method, exchange.path, exchange.query);
  const context = new RequestContext(exchange, info, new ObjectFormats(['json']));
  context.user = user;
  let passed = false;
  void storageVersionPrecondition(() => versions)(context, () => {
    passed = true;
  });
  return passed;
}

describe('until the storage versions are updated', () => {
  it.each([
    'GET /api/v1/pods',
    'GET /api/v1/pods?watch=1',
    'GET /api/v1/namespaces/default/pods/a',
    'POST /healthz',
    'POST /apis/internal.apiserver.k8s.io/v1alpha1/storageversions',
    'PUT /apis/internal.apiserver.k8s.io/v1alpha1/storageversions/core.pods/status',
    'PUT /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/a',
    'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
    'POST /api/v1/namespaces/default/secrets',
  ])('%s passes', (request) => expect(passes(pending, request)).toBe(true));

  it('the server itself can create namespaces', () => {
    expect(passes(pending, 'POST /api/v1/namespaces', serverUser)).toBe(true);
    expect(() => passes(pending, 'PUT /api/v1/namespaces/a', serverUser)).toThrow('wait for storage version');
  });

  it.each([
    ['POST /api/v1/namespaces', 'namespaces', '<nil>'],
    ['POST /api/v1/namespaces/default/pods', 'pods', '<nil>'],
    ['DELETE /api/v1/pods', 'pods', '<nil>'],
    ['PUT /apis/coordination.k8s.io/v1/namespaces/default/leases/a', 'leases.coordination.k8s.io', '<nil>'],
    ['PATCH /apis/apps/v1/namespaces/default/deployments/a', 'deployments.apps', 'no quorum'],
  ])('%s is refused', (request, resource, error) => {
    const message = `wait for storage version registration to complete for resource: ${resource}, last seen error: ${error}`;
    expect(() => passes(pending, request)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 503, message }) }),
    );
  });
});

it('afterwards everything passes', () => {
  expect(passes({ ...pending, isComplete: true }, 'POST /api/v1/namespaces/default/pods')).toBe(true);
});
