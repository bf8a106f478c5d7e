import { isDeepStrictEqual } from 'node:util';
import type { ResourceObject } from '../../meta/object.ts';
import { NodeUses } from './node-uses.ts';
import { claimNames, configMapNames, resourceClaimNames, secretNames } from './pod-references.ts';
import { type VolumeUse, volumeUse } from './volume-secrets.ts';

/** The kinds that relate objects to nodes. */
export type GraphKind = 'Pod' | 'PersistentVolume' | 'VolumeAttachment' | 'ResourceSlice';

/** The resources whose objects can be related to a node. */
export type UsedResource =
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'pods'
  | 'resourceclaims'
  | 'resourceslices'
  | 'secrets'
  | 'serviceaccounts'
  | 'volumeattachments';

/** The objects that one object makes accessible to a node. */
interface Placement {
  readonly node: string;
  readonly uses: readonly string[];
}

const mirrorPod = 'kubernetes.io/config.mirror';
const noNode: Placement = { node: '', uses: [] };

/**
 * Tracks which objects a node needs for the pods that run on it: those that the pods name, the volumes of their claims,
 * and the secrets of those volumes. The caller passes new and changed objects to `put` in order. The graph keeps no
 * reference to them.
 */
export class NodeGraph {
  readonly #uses = new NodeUses();
  readonly #placements: Record<Exclude<GraphKind, 'PersistentVolume'>, Map<string, Placement>> = {
    Pod: new Map(),
    VolumeAttachment: new Map(),
    ResourceSlice: new Map(),
  };
  readonly #volumes = new Map<string, VolumeUse>();
  readonly #volumesOfClaim = new Map<string, Set<string>>();

  isUsed(node: string, resource: UsedResource, { namespace, name }: { namespace: string; name: string }): boolean {
    return this.#uses.has(keyOf(resource, namespace, name), node);
  }

  put(kind: GraphKind, object: ResourceObject): void {
    const key = objectKey(object);
    if (kind === 'PersistentVolume') this.#putVolume(key, volumeUse(object));
    else this.#place(kind, key, placementOf[kind](object));
  }

  remove(kind: GraphKind, object: ResourceObject): void {
    const key = objectKey(object);
    if (kind === 'PersistentVolume') this.#putVolume(key, undefined);
    else this.#place(kind, key, noNode);
  }

  reset(kind: GraphKind): void {
    if (kind === 'PersistentVolume') for (const key of [...this.#volumes.keys()]) this.#putVolume(key, undefined);
    else for (const key of [...this.#placements[kind].keys()]) this.#place(kind, key, noNode);
  }

  #place(kind: Exclude<GraphKind, 'PersistentVolume'>, key: string, next: Placement): void {
    const known = this.#placements[kind];
    const before = known.get(key) ?? noNode;
    // Most changes are status updates that change no relation.
    if (isDeepStrictEqual(before, next)) return;
    // Adding before removing keeps unchanged relations in place, so that their volumes need no update.
    for (const object of next.uses) this.#addUse(object, next.node);
    for (const object of before.uses) this.#removeUse(object, before.node);
    if (next.node === '') known.delete(key);
    else known.set(key, next);
  }

  #putVolume(key: string, next: VolumeUse | undefined): void {
    const before = this.#volumes.get(key);
    if (isDeepStrictEqual(before, next)) return;
    if (before?.claim !== undefined) {
      const claim = claimKey(before.claim);
      for (const node of this.#uses.nodes(claim)) for (const used of usesOf(key, before)) this.#uses.remove(used, node);
      const volumes = this.#volumesOfClaim.get(claim);
      volumes?.delete(key);
      if (volumes?.size === 0) this.#volumesOfClaim.delete(claim);
    }
    this.#volumes.delete(key);
    if (next?.claim === undefined) return;
    const claim = claimKey(next.claim);
    for (const node of this.#uses.nodes(claim)) for (const used of usesOf(key, next)) this.#uses.add(used, node);
    this.#volumesOfClaim.set(claim, (this.#volumesOfClaim.get(claim) ?? new Set()).add(key));
    this.#volumes.set(key, next);
  }

  #addUse(object: string, node: string): void {
    if (!this.#uses.add(object, node)) return;
    for (const used of this.#throughVolumes(object)) this.#uses.add(used, node);
  }

  #removeUse(object: string, node: string): void {
    if (!this.#uses.remove(object, node)) return;
    for (const used of this.#throughVolumes(object)) this.#uses.remove(used, node);
  }

  /** The objects that are accessible through the volumes of a claim. */
  #throughVolumes(object: string): string[] {
    const volumes = this.#volumesOfClaim.get(object);
    return volumes === undefined ? [] : [...volumes].flatMap((key) => usesOf(key, this.#volumes.get(key)!));
  }
}

const placementOf: Readonly<Record<Exclude<GraphKind, 'PersistentVolume'>, (object: ResourceObject) => Placement>> = {
  Pod(pod) {
    const { namespace = '', name = '', annotations } = pod.metadata;
    const { nodeName: node = '', serviceAccountName } = (pod.spec ?? {}) as Record<string, string | undefined>;
    if (node === '') return noNode;
    const own = keyOf('pods', namespace, name);
    // Nodes create mirror pods themselves and must not gain access to anything through them.
    if (annotations !== undefined && Object.hasOwn(annotations, mirrorPod)) return { node, uses: [own] };
    const all = (resource: UsedResource, names: Iterable<string>) =>
      Array.from(names, (used) => keyOf(resource, namespace, used));
    return {
      node,
      uses: [
        own,
        ...all('serviceaccounts', serviceAccountName ? [serviceAccountName] : []),
        ...all('secrets', secretNames(pod)),
        ...all('configmaps', configMapNames(pod)),
        ...all('persistentvolumeclaims', claimNames(pod)),
        ...all('resourceclaims', resourceClaimNames(pod)),
      ],
    };
  },
  VolumeAttachment: (object) => placementByNodeName('volumeattachments', object),
  ResourceSlice: (object) => placementByNodeName('resourceslices', object),
};

function placementByNodeName(resource: UsedResource, { metadata: { name = '' }, spec }: ResourceObject): Placement {
  const { nodeName: node } = (spec ?? {}) as { nodeName?: string };
  return node ? { node, uses: [keyOf(resource, '', name)] } : noNode;
}

function usesOf(volume: string, { secrets }: VolumeUse): string[] {
  const own = `persistentvolumes/${volume}`;
  return [own, ...new Set(secrets.map(({ namespace, name }) => keyOf('secrets', namespace, name)))];
}

function claimKey({ namespace, name }: { namespace: string; name: string }): string {
  return keyOf('persistentvolumeclaims', namespace, name);
}

function objectKey({ metadata: { namespace = '', name = '' } }: ResourceObject): string {
  return `${namespace}/${name}`;
}

function keyOf(resource: UsedResource, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`;
}
