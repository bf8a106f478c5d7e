import { expect, it } from 'vitest';
import type { Authorizer } from '../../authz/index.ts';
import type { OwnerReference } from '../../meta/object.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { testRequest, testTarget } from '../test-request.conformance.ts';
import { ownerReferencesPermission } from './owner-references-permission.ts';

/** Allows `verb resource[/subresource] namespace/name`. */
const allowing = (...allowed: string[]): Authorizer => ({
  authorize: ({ verb, resource }) => {
    const { resource: type, subresource, namespace, name } = resource!;
    const permission = `${verb} ${type}${subresource && `/${subresource}`} ${namespace}/${name}`;
    return allowed.includes(permission)
      ? { decision: 'allow', reason: '' }
      : { decision: 'no-opinion', reason: `not ${permission}` };
  },
});

const owner: OwnerReference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'o', uid: '1' };
const blocking = { ...owner, blockOwnerDeletion: true };
const lost = { ...blocking, kind: 'Lost' };
const cannotDelete = "cannot set an ownerRef on a resource you can't delete: not delete pods ns/a, <nil>";
const cannotBlock =
  "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: not update replicasets/finalizers ns/o, <nil>";

const withOwners = (...ownerReferences: OwnerReference[]) => ({ metadata: { name: 'a', ownerReferences } });
const update = (before: OwnerReference[], after: OwnerReference[]): Partial<AdmissionRequest> => ({
  operation: 'UPDATE',
  oldObject: withOwners(...before),
  object: withOwners(...after),
});

it.each<[what: string, request: Partial<AdmissionRequest>, permissions: string[], refusal: string]>([
  ['a new object without owner', { object: withOwners() }, [], ''],
  ['a new object with an owner', { object: withOwners(owner) }, [], ''],
  ['a new owner', update([], [owner]), [], cannotDelete],
  ['a new owner of a deletable object', update([], [owner]), ['delete pods ns/a'], ''],
  ['the same owners', update([owner], [{ ...owner }]), [], ''],
  ['no owner any more', update([owner], []), [], cannotDelete],
  ['a blocking owner', { object: withOwners(blocking) }, [], cannotBlock],
  ['a blocking owner with finalizers', { object: withOwners(blocking) }, ['update replicasets/finalizers ns/o'], ''],
  ['a blocking owner and every finalizer', { object: withOwners(lost) }, ['update */finalizers /*'], ''],
  ['an owner that blocks now', update([owner], [blocking]), ['delete pods ns/a'], cannotBlock],
  ['an owner that blocked before', update([blocking], [{ ...blocking, controller: true }]), ['delete pods ns/a'], ''],
  [
    'an owner of an unknown kind',
    { object: withOwners(lost) },
    [],
    'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion apps/v1 Kind Lost: no matches for kind "Lost" in version "apps/v1"',
  ],
])('%s', async (_what, request, permissions, refusal) => {
  const plugin = ownerReferencesPermission({
    authorizer: allowing(...permissions),
    typesOf: ({ kind }) => (kind === 'ReplicaSet' ? [{ resource: 'replicasets', namespaced: true }] : []),
  });
  const validate = async (): Promise<void> => plugin.validate!(testRequest(testTarget('/pods'), request), {} as never);
  if (refusal === '') await expect(validate()).resolves.toBeUndefined();
  else await expect(validate).rejects.toThrow(`pods "a" is forbidden: ${refusal}`);
});

it('ignores the status of pods', async () => {
  const plugin = ownerReferencesPermission({ authorizer: allowing(), typesOf: () => [] });
  const validate = async (endpoint: string): Promise<void> =>
    plugin.validate!(testRequest(testTarget(endpoint), update([], [owner])), {} as never);
  await expect(validate('/pods')).rejects.toThrow(cannotDelete);
  await expect(validate('/pods/status')).resolves.toBeUndefined();
});
