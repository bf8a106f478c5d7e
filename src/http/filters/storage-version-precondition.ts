import { type GroupResource, qualifiedResource } from '../../meta/group-version.ts';
import { serviceUnavailable } from '../../meta/status-error.ts';
import { serverUser, type UserInfo } from '../../meta/user.ts';
import type { Filter } from '../pipeline.ts';
import type { ResourceTarget } from '../request-info.ts';

/** Resources that this server must not write yet, because it has not published their storage version. */
export interface PendingStorageVersions {
  readonly isComplete: boolean;
  isPending(resource: GroupResource): boolean;
  lastError(resource: GroupResource): Error | undefined;
}

const reads = new Set(['get', 'list', 'watch']);

/** Refuses writes to resources whose StorageVersion this server has not updated yet. */
export function storageVersionPrecondition(pending: () => PendingStorageVersions): Filter {
  return (context, next) => {
    const versions = pending();
    const { target, verb } = context.info;
    if (versions.isComplete || target === undefined || reads.has(verb)) return next(context);
    if (isNeededForUpdate(target, verb, context.user) || !versions.isPending(target)) return next(context);
    const error = versions.lastError(target)?.message ?? '<nil>';
    throw serviceUnavailable(
      `wait for storage version registration to complete for resource: ${qualifiedResource(target)}, last seen error: ${error}`,
    );
  };
}

/** The StorageVersions, the Leases that they refer to, and the namespace of these. */
function isNeededForUpdate(target: ResourceTarget, verb: string, user: UserInfo | undefined): boolean {
  const { group, resource, namespace } = target;
  if (group === 'internal.apiserver.k8s.io') return resource === 'storageversions';
  if (group === 'coordination.k8s.io') return resource === 'leases' && namespace === 'kube-system';
  return group === '' && resource === 'namespaces' && verb === 'create' && user?.name === serverUser.name;
}
