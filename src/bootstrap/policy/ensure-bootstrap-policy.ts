import type { Client } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { ensureSystemNamespaces } from '../bootstrap-objects.ts';
import { type CreateDefault, type DesiredObject, ensureObject } from '../ensure-object.ts';
import { clusterRoleBindings } from './cluster-role-bindings.ts';
import { clusterRoles } from './cluster-roles.ts';
import { roleBindings, roles } from './namespaced-policy.ts';
import { reconcileBinding, reconcileRole } from './reconcile-policy.ts';

/** The field manager of the objects, which is also that of requests of the server. */
const fieldManager = 'kube-apiserver';

interface Kind<T extends ResourceObject> {
  readonly resource: string;
  readonly wanted: readonly T[];
  readonly reconcile: DesiredObject<T>['reconcile'];
}

interface PolicyObjects {
  readonly client: Client;
  /** Reads objects without requests, which would parse all of them again. */
  readonly objects: ObjectReader;
  /** Creates objects. By default they are created by requests. */
  readonly create?: CreateDefault | undefined;
}

/**
 * Ensures the default roles and bindings. Creates missing objects and adds missing rules and subjects. Rejects when an
 * object cannot be written, after all others have been tried.
 */
export async function ensureBootstrapPolicy(policy: PolicyObjects): Promise<void> {
  const ensure = <T extends ResourceObject>(kind: Kind<T>): Promise<void> => ensureKind(policy, kind);
  const settled = await Promise.allSettled([
    ensure({ resource: 'clusterroles', wanted: clusterRoles, reconcile: reconcileRole }),
    ensure({ resource: 'clusterrolebindings', wanted: clusterRoleBindings, reconcile: reconcileBinding }),
    ensure({ resource: 'roles', wanted: roles, reconcile: reconcileRole }),
    ensure({ resource: 'rolebindings', wanted: roleBindings, reconcile: reconcileBinding }),
  ]);
  throwFirst(settled);
}

async function ensureKind<T extends ResourceObject>(
  { client, objects: present, create }: PolicyObjects,
  { resource, wanted, reconcile }: Kind<T>,
): Promise<void> {
  const reference = { group: 'rbac.authorization.k8s.io', version: 'v1', resource };
  const items = (await present.list(reference, '')) as readonly T[];
  const found = new Map(items.map((object) => [key(object), object]));
  if (wanted.some((object) => object.metadata.namespace !== undefined && !found.has(key(object)))) {
    await ensureSystemNamespaces(client, create);
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
