import { isDeepStrictEqual } from 'node:util';
import type { Authorizer, Decision, RequestedResource } from '../../authz/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { parseApiVersion } from '../../meta/group-version.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import type { TypesOfKind } from './types-of-kind.ts';

export interface OwnerReferencesPermissionOptions {
  readonly authorizer: Authorizer;
  readonly typesOf: TypesOfKind;
}

/**
 * Requires permissions for owner references: `delete` on an existing object that gets an owner, because the garbage
 * collector may delete it then, and `update` on the finalizers of an owner whose deletion would be blocked.
 */
export function ownerReferencesPermission(options: OwnerReferencesPermissionOptions): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['*/*'] }],
    validate(request) {
      const { resource, subresource, object, oldObject } = request;
      // A status update of a pod cannot change owners, and old nodes send incomplete ones.
      if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return;
      if (isDeepStrictEqual(plainOwners(object), plainOwners(oldObject))) return;
      return checkPermissions(request, options);
    },
  };
}

async function checkPermissions(request: AdmissionRequest, options: OwnerReferencesPermissionOptions): Promise<void> {
  const { operation, user, resource, subresource, namespace, name } = request;
  const { authorizer } = options;
  if (operation === 'UPDATE') {
    const deleted: RequestedResource = { ...resource, subresource, namespace, name };
    const decision = await authorizer.authorize({ user, verb: 'delete', resource: deleted });
    if (decision.decision !== 'allow') {
      throw admissionForbidden(request, `cannot set an ownerRef on a resource you can't delete: ${reasonOf(decision)}`);
    }
  }
  const blocking = newlyBlocking(request);
  if (blocking.length === 0 || (await mayFinalizeAnything(request, authorizer))) return;
  for (const owner of blocking) await checkOwner(request, owner, options);
}

async function mayFinalizeAnything({ user }: AdmissionRequest, authorizer: Authorizer): Promise<boolean> {
  const everything = { group: '*', version: '*', resource: '*', subresource: 'finalizers', namespace: '', name: '*' };
  const { decision } = await authorizer.authorize({ user, verb: 'update', resource: everything });
  return decision === 'allow';
}

async function checkOwner(
  request: AdmissionRequest,
  { apiVersion, kind, name }: OwnerReference,
  { authorizer, typesOf }: OwnerReferencesPermissionOptions,
): Promise<void> {
  const { group, version } = parseApiVersion(apiVersion);
  const types = typesOf({ group, version, kind });
  if (types.length === 0) {
    const problem = `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`;
    const where = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`;
    throw admissionForbidden(request, `cannot set blockOwnerDeletion in this case because ${where}: ${problem}`);
  }
  for (const { resource, namespaced } of types) {
    const namespace = namespaced ? request.namespace : '';
    const finalizers = { group, version, resource, subresource: 'finalizers', namespace, name };
    const decision = await authorizer.authorize({ user: request.user, verb: 'update', resource: finalizers });
    if (decision.decision === 'allow') continue;
    const what = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    throw admissionForbidden(request, `${what}: ${reasonOf(decision)}`);
  }
}

function reasonOf({ reason, error }: Decision): string {
  return `${reason}, ${error?.message ?? '<nil>'}`;
}

/** References that block the deletion of their owner and did not do so before. */
function newlyBlocking({ object, oldObject }: AdmissionRequest): OwnerReference[] {
  const before = new Set(ownersOf(oldObject).flatMap(({ uid, blockOwnerDeletion }) => (blockOwnerDeletion ? uid : [])));
  return ownersOf(object).filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !before.has(uid));
}

function ownersOf(object: ResourceObject | undefined): readonly OwnerReference[] {
  return object?.metadata?.ownerReferences ?? [];
}

/** Comparable, whatever fields are undefined. */
function plainOwners(object: ResourceObject | undefined): unknown[] {
  return ownersOf(object).map(({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) => [
    apiVersion,
    kind,
    name,
    uid,
    controller,
    blockOwnerDeletion,
  ]);
}
