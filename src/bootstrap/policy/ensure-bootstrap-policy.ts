import { type Client, isUnreadable } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { ensureSystemNamespaces } from '../bootstrap-objects.ts';
import { type CreateDefault, type DesiredObject, ensureObject } from '../ensure-object.ts';
import { clusterRoleBindings } from './cluster-role-bindings.ts';
import { clusterRoles } from './cluster-roles.ts';
import { roleBindings, roles } from './namespaced-policy.ts';
import { bootstrapLabel, bootstrapLabelValue } from './policy-object.ts';
import { reconcileBinding, reconcileRole } from './reconcile-policy.ts';

/** The field manager of the objects, which is also that of requests of the server. */
const fieldManager = 'kube-apiserver';

interface Kind<T extends ResourceObject> {
  readonly resource: string;
  readonly wanted: readonly T[];
  readonly reconcile: DesiredObject<T>['reconcile'];
  readonly create: CreateDefault | undefined;
}

/**
 * Ensures the default roles and bindings. Creates missing objects and adds missing rules and subjects; needs only four
 * lists when nothing is missing. Rejects when an object cannot be written, after all others have been tried. Objects
 * are created by requests, unless a function for this is given.
 */
export async function ensureBootstrapPolicy(client: Client, create?: CreateDefault): Promise<void> {
  const role = { reconcile: reconcileRole, create };
  const binding = { reconcile: reconcileBinding, create };
  const settled = await Promise.allSettled([
    ensureKind(client, { resource: 'clusterroles', wanted: clusterRoles, ...role }),
    ensureKind(client, { resource: 'clusterrolebindings', wanted: clusterRoleBindings, ...binding }),
    ensureKind(client, { resource: 'roles', wanted: roles, ...role }),
    ensureKind(client, { resource: 'rolebindings', wanted: roleBindings, ...binding }),
  ]);
  throwFirst(settled);
}

async function ensureKind<T extends ResourceObject>(client: Client, kind: Kind<T>): Promise<void> {
  const { resource, wanted, reconcile, create } = kind;
  const reference = { group: 'rbac.authorization.k8s.io', version: 'v1', resource };
  const items = await client
    .resource<T>(reference)
    // Users may have thousands of other roles. An object that has lost the label is found when its creation fails.
    .list({ labelSelector: `${bootstrapLabel}=${bootstrapLabelValue}` })
    .then(
      (list) => list.items,
      // An unreadable object makes the list fail. The objects are then found one by one.
      (error) => {
        if (isUnreadable(error)) return [];
        throw error;
      },
    );
  const found = new Map(items.map((object) => [key(object), object]));
  if (wanted.some((object) => object.metadata.namespace !== undefined && !found.has(key(object)))) {
    await ensureSystemNamespaces(client);
  }
  const settled = await Promise.allSettled(
    wanted.map((object) => {
      const objects = client.resource<T>(reference, object.metadata.namespace);
      return ensureObject(
        { objects, desired: object, reconcile, create: create && (() => create(reference, { object, fieldManager })) },
        found.get(key(object)),
      );
    }),
  );
  throwFirst(settled);
}

function key({ metadata: { namespace = '', name = '' } }: ResourceObject): string {
  return `${namespace}/${name}`;
}

function throwFirst(settled: readonly PromiseSettledResult<void>[]): void {
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
}
