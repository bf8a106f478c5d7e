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

/** An object that was made, and what is known of its life. */
export interface Member {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  /** With what it was asked to go, each time that the server agreed. */
  readonly deletions: Policy[];
  /** When it had been made, and when it was first asked to go without its dependents, on one clock. */
  readonly madeAt: number;
  orphanedAt: number | undefined;
}

/** Makes and deletes objects that own each other, and remembers what it has done. */
export class Family {
  readonly members = new Map<string, Member>();
  #client: Client;
  #clock = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The server has been started again. */
  reconnect(client: Client): void {
    this.#client = client;
  }

  async make(wanted: Pick<Member, 'kind' | 'namespace' | 'name' | 'owners'>): Promise<void> {
    const { kind, namespace, name, owners } = wanted;
    const metadata: ObjectMeta = { name, ownerReferences: [...owners], labels: { family: 'yes' } };
    const made = await this.#resource(kind, namespace).create({ metadata });
    const { uid = '' } = made.metadata;
    this.members.set(uid, { ...wanted, uid, deletions: [], madeAt: ++this.#clock, orphanedAt: undefined });
  }

  /** It may be gone already, or another may have its name. */
  async remove(member: Member, policy: Policy): Promise<void> {
    const { kind, namespace, name, uid } = member;
    const askedAt = ++this.#clock;
    try {
      await this.#resource(kind, namespace).delete(name, {}, { propagationPolicy: policy, preconditions: { uid } });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 404 || error.code === 409)) return;
      throw error;
    }
    member.deletions.push(policy);
    if (policy === 'Orphan') member.orphanedAt ??= askedAt;
  }

  /** What there is now, by uid. */
  async present(): Promise<Map<string, ResourceObject>> {
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

export function referenceTo({ kind, name, uid }: Member, blockOwnerDeletion: boolean): OwnerReference {
  const apiVersion = kind === 'ClusterRole' ? 'rbac.authorization.k8s.io/v1' : 'v1';
  return { apiVersion, kind, name, uid, blockOwnerDeletion };
}
