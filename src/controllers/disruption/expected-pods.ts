import type { Client, DiscoveredResource, Discovery } from '../../client/index.ts';
import type { OwnerReference, ResourceObject } from '../../meta/object.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import type { Budget, Pod } from './budget.ts';
import type { Counts } from './budget-status.ts';

/** The expected number of pods is unknown, because an owner is missing or has no scale. */
export class UnknownScaleError extends Error {}

/** Computes the expected number of pods and of healthy pods. Rejects with an UnknownScaleError. */
export async function expectedPods(
  { spec }: Budget,
  pods: readonly Pod[],
  sources: { readonly client: Client; readonly discovery: Discovery },
): Promise<Counts> {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    const expected = await scaleOf(pods, sources);
    return { expected, desired: Math.max(expected - share(maxUnavailable, expected), 0) };
  }
  if (typeof minAvailable === 'string') {
    const expected = await scaleOf(pods, sources);
    return { expected, desired: share(minAvailable, expected) };
  }
  return { expected: pods.length, desired: minAvailable ?? 0 };
}

/** Percentages are rounded up. */
function share(value: number | string, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

/** The sum of the scales of the owners. Pods without an owner do not count, because nothing replaces them. */
async function scaleOf(
  pods: readonly Pod[],
  { client, discovery }: Parameters<typeof expectedPods>[2],
): Promise<number> {
  const owners = new Map<string, { readonly owner: OwnerReference; readonly pod: Pod }>();
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner !== undefined && !owners.has(owner.uid)) owners.set(owner.uid, { owner, pod });
  }
  if (owners.size === 0) return 0;
  const { resources } = await discovery.read();
  const scales = new Map<string, number>();
  for (const { owner, pod } of owners.values()) {
    const scale = await new Owners(client, resources, pod.metadata.namespace ?? '').scale(owner);
    if (scale === undefined) throw new UnknownScaleError(`found no controllers for pod "${pod.metadata.name}"`);
    scales.set(scale.uid, scale.replicas);
  }
  return scales.values().reduce((sum, replicas) => sum + replicas, 0);
}

class Owners {
  readonly #client: Client;
  readonly #resources: readonly DiscoveredResource[];
  readonly #namespace: string;

  constructor(client: Client, resources: readonly DiscoveredResource[], namespace: string) {
    this.#client = client;
    this.#resources = resources;
    this.#namespace = namespace;
  }

  /** The scale of the owner, or of the deployment that owns it. Undefined when it does not exist. */
  async scale(reference: OwnerReference): Promise<{ uid: string; replicas: number } | undefined> {
    const type = this.#type(reference);
    if (type === undefined) throw new UnknownScaleError(`no kind ${reference.kind} in ${reference.apiVersion}`);
    const resource = this.#client.resource(type, this.#namespace);
    const owner = await resource.metadataOnly().get(reference.name).catch(ignoreNotFound);
    if (owner === undefined || owner.metadata.uid !== reference.uid) return undefined;
    const above = type.group === 'apps' && type.resource === 'replicasets' ? controllerOf(owner) : undefined;
    if (above?.kind === 'Deployment') {
      const found = await this.scale(above);
      if (found !== undefined) return found;
    }
    if (!type.subresources.includes('scale')) {
      const name = type.group === '' ? type.resource : `${type.resource}.${type.group}`;
      throw new UnknownScaleError(`${name} does not implement the scale subresource`);
    }
    const scale = await resource.get(reference.name, { subresource: 'scale' }).catch(ignoreNotFound);
    if (scale === undefined) return undefined;
    const { replicas = 0 } = (scale.spec ?? {}) as { replicas?: number };
    return { uid: reference.uid, replicas };
  }

  #type({ apiVersion, kind }: OwnerReference): DiscoveredResource | undefined {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    return this.#resources.find((each) => each.group === group && each.kind === kind && each.namespaced);
  }
}

function controllerOf({ metadata }: ResourceObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}
