import { ApiError, type Client } from '../../src/client/index.ts';
import type { ObjectMeta, OwnerReference, ResourceObject } from '../../src/meta/object.ts';

export const policies = ['Background', 'Foreground', 'Orphan'] as const;
export type Policy = (typeof policies)[number];

const types = {
  ConfigMap: { group: '', version: 'v1', resource: 'configmaps' },
  Secret: { group: '', version: 'v1', resource: 'secrets' },
  ClusterRole: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' },
};
export type Kind = keyof typeof types;

/** A created object and the deletions that were requested for it. */
export interface OwnedObject {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  /** The propagation policies of the deletions that the server accepted. */
  readonly deletions: Policy[];
  /** When it was created and when it was first deleted with the policy Orphan, on one logical clock. */
  readonly createdAt: number;
  orphanedAt: number | undefined;
}

/** Creates and deletes objects that own each other, and records what it has done. */
export class OwnershipGraph {
  readonly objects = new Map<string, OwnedObject>();
  #client: Client;
  #clock = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Call this after a restart of the server. */
  reconnect(client: Client): void {
    this.#client = client;
  }

  async create(wanted: Pick<OwnedObject, 'kind' | 'namespace' | 'name' | 'owners'>): Promise<void> {
    const { kind, namespace, name, owners } = wanted;
    const metadata: ObjectMeta = { name, ownerReferences: [...owners], labels: { family: 'yes' } };
    const created = await this.#resource(kind, namespace).create({ metadata });
    const { uid = '' } = created.metadata;
    this.objects.set(uid, { ...wanted, uid, deletions: [], createdAt: ++this.#clock, orphanedAt: undefined });
  }

  /** The object may be gone already, or another may have its name. */
  async delete(object: OwnedObject, policy: Policy): Promise<void> {
    const { kind, namespace, name, uid } = object;
    const requestedAt = ++this.#clock;
    try {
      await this.#resource(kind, namespace).delete(name, {}, { propagationPolicy: policy, preconditions: { uid } });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
      throw error;
    }
    object.deletions.push(policy);
    if (policy === 'Orphan') object.orphanedAt ??= requestedAt;
  }

  /** The objects that exist now, by uid. */
  async list(): Promise<Map<string, ResourceObject>> {
    const found = new Map<string, ResourceObject>();
    for (const [kind, type] of Object.entries(types)) {
      const { items } = await this.#client.resource(type).list({ labelSelector: 'family' });
      for (const item of items) found.set(item.metadata.uid ?? '', { ...item, kind });
    }
    return found;
  }

  #resource(kind: Kind, namespace: string) {
    return this.#client.resource(types[kind], namespace);
  }
}

export function referenceTo({ kind, name, uid }: OwnedObject, blockOwnerDeletion: boolean): OwnerReference {
  const apiVersion = kind === 'ClusterRole' ? 'rbac.authorization.k8s.io/v1' : 'v1';
  return { apiVersion, kind, name, uid, blockOwnerDeletion };
}
