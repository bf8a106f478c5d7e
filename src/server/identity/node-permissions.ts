import { type GraphKind, NodeAuthorizer, NodeGraph } from '../../authz/node/index.ts';
import { policyRules } from '../../authz/rbac/index.ts';
import { nodeRoles } from '../../bootstrap/policy/index.ts';
import type { ResourceSet } from '../../registry/index.ts';

const types: Readonly<Record<GraphKind, { group: string; version: string; resource: string }>> = {
  Pod: { group: '', version: 'v1', resource: 'pods' },
  PersistentVolume: { group: '', version: 'v1', resource: 'persistentvolumes' },
  VolumeAttachment: { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattachments' },
  ResourceSlice: { group: 'resource.k8s.io', version: 'v1', resource: 'resourceslices' },
};

interface FollowNodesOptions {
  readonly resources: ResourceSet;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** The node authorizer. Pods and volumes are watched only when the authorizer is in use. */
export class NodePermissions {
  readonly #graph = new NodeGraph();
  readonly #followed = new Set<GraphKind>();
  #authorizer: NodeAuthorizer | undefined;

  /** Before `follow`, a node has no access to the objects of its pods. */
  authorizer(): NodeAuthorizer {
    const rules = policyRules({ metadata: {}, rules: nodeRoles['system:node'] });
    this.#authorizer ??= new NodeAuthorizer({ graph: this.#graph, rules });
    return this.#authorizer;
  }

  /**
   * Resolves when the existing objects are loaded, if the authorizer is in use. Must be called again when that may have
   * changed.
   */
  async follow({ resources, onError, signal }: FollowNodesOptions): Promise<void> {
    if (this.#authorizer === undefined) return;
    const graph = this.#graph;
    const kinds = Object.entries(types) as [GraphKind, (typeof types)[GraphKind]][];
    await Promise.all(
      kinds.map(async ([kind, type]) => {
        if (this.#followed.has(kind) || resources.find(type) === undefined) return;
        await resources.follow(type, {
          onReset: () => graph.reset(kind),
          onPut: (object) => graph.put(kind, object),
          onRemove: (object) => graph.remove(kind, object),
          onError,
          signal,
        });
        this.#followed.add(kind);
      }),
    );
  }
}
