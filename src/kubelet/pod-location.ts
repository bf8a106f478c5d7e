import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { badRequest, notFound } from '../meta/status-error.ts';
import type { Kubelet, Kubelets } from './kubelets.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

interface PodItem {
  readonly namespace: string;
  readonly name: string;
}

interface PodSpec {
  readonly nodeName?: string;
  readonly initContainers?: readonly { readonly name: string }[];
  readonly containers?: readonly { readonly name: string }[];
  readonly ephemeralContainers?: readonly { readonly name: string }[];
}

/** A pod on its node. */
export interface PodLocation {
  readonly kubelet: Kubelet;
  /** The name of the container, empty when none was requested. */
  readonly container: string;
}

export interface LocateOptions {
  /** The container that the client requests, empty for the only one. Undefined when it does not matter. */
  readonly container: string | undefined;
  readonly skipVerification?: boolean;
}

/** Finds pods and the kubelets that run them. */
export class PodLocator {
  readonly #objects: ObjectReader;
  readonly #kubelets: Kubelets;

  constructor(objects: ObjectReader, kubelets: Kubelets) {
    this.#objects = objects;
    this.#kubelets = kubelets;
  }

  /**
   * Undefined for a pod that has no node yet. Rejects with the error response when the pod or container does not exist.
   */
  async find(item: PodItem, { container, skipVerification = false }: LocateOptions): Promise<PodLocation | undefined> {
    const pod = await this.#objects.get(pods, item);
    if (pod === undefined) throw notFound(pods, item.name);
    const chosen = container === undefined ? '' : containerOf(pod, container);
    const { nodeName = '' } = specOf(pod);
    if (nodeName === '') return undefined;
    return { kubelet: await this.#kubelets.of(nodeName, { skipVerification }), container: chosen };
  }

  /** Like `find`, for requests that require a node. */
  async require(item: PodItem, options: LocateOptions): Promise<PodLocation> {
    const found = await this.find(item, options);
    if (found === undefined) throw badRequest(`pod ${item.name} does not have a host assigned`);
    return found;
  }
}

function specOf(pod: ResourceObject): PodSpec {
  return (pod.spec ?? {}) as PodSpec;
}

function containerOf(pod: ResourceObject, requestedName: string): string {
  const { name } = pod.metadata;
  const { initContainers = [], containers = [], ephemeralContainers = [] } = specOf(pod);
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((container) => container.name);
  if (requestedName !== '') {
    if (names.includes(requestedName)) return requestedName;
    throw badRequest(`container ${requestedName} is not valid for pod ${name}`);
  }
  if (containers.length === 1) return containers[0]!.name;
  const choice = containers.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}${choice}`);
}
