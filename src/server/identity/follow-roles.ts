import type { RbacIndex, RbacKind } from '../../authz/rbac/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceSet } from '../../registry/index.ts';

const resources: Readonly<Record<RbacKind, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

interface FollowRolesOptions {
  readonly resources: ResourceSet;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** Keeps the index up to date. Resolves when all existing objects are loaded. */
export async function followRoles(index: RbacIndex, { resources: set, onError, signal }: FollowRolesOptions) {
  const kinds = Object.entries(resources) as [RbacKind, string][];
  await Promise.all(
    kinds.map(([kind, resource]) =>
      set.follow(
        { group: 'rbac.authorization.k8s.io', version: 'v1', resource },
        {
          onReset: () => index.reset(kind),
          onPut: (object) => index[`put${kind}`](object),
          onRemove: ({ metadata: { namespace = '', name = '' } }: ResourceObject) =>
            index[`remove${kind}`](namespace, name),
          onError,
          signal,
        },
      ),
    ),
  );
}
