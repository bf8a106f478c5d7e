import type { ResourceObject } from '../meta/object.ts';
import type { Client } from './client.ts';
import { Informer } from './informer.ts';
import type { Parameters, ResourceReference } from './resource-client.ts';

export interface Followed {
  /** Whether only the metadata of objects is needed. The objects may still contain more. */
  readonly metadataOnly?: boolean;
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** `labelSelector` and `fieldSelector`. */
  readonly selectors?: Parameters;
}

export interface InformerFactoryOptions {
  readonly client: Client;
  readonly report: (error: Error) => void;
  /** Stops all informers when it aborts. */
  readonly signal: AbortSignal;
}

interface Shared {
  readonly informer: Informer;
  readonly stop: AbortController;
  uses: number;
}

/** Shares one informer between all users of the same objects. */
export class InformerFactory {
  readonly #options: InformerFactoryOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: InformerFactoryOptions) {
    this.#options = options;
  }

  /** Starts the informer on the first call. `release` undoes one call. */
  informer<T extends ResourceObject = ResourceObject>(
    reference: ResourceReference,
    followed: Followed = {},
  ): Informer<T> {
    const full = keyOf(reference, { ...followed, metadataOnly: false });
    const key = followed.metadataOnly && !this.#shared.has(full) ? keyOf(reference, followed) : full;
    const shared = this.#shared.get(key) ?? this.#start(reference, followed);
    shared.uses++;
    this.#shared.set(key, shared);
    return shared.informer as unknown as Informer<T>;
  }

  /** Stops the informer when it has no other user. */
  release<T extends ResourceObject>(informer: Informer<T>): void {
    for (const [key, shared] of this.#shared) {
      if (shared.informer !== (informer as unknown)) continue;
      if (--shared.uses > 0) return;
      this.#shared.delete(key);
      shared.stop.abort();
      return;
    }
  }

  /** Resolves when all informers have stopped after the abort. */
  async stopped(): Promise<void> {
    await Promise.all(Array.from(this.#shared.values(), ({ informer }) => informer.stopped));
  }

  #start(reference: ResourceReference, { metadataOnly, namespace, selectors = {} }: Followed): Shared {
    const { client, report, signal } = this.#options;
    const stop = new AbortController();
    const resource = client.resource(reference, namespace);
    const source = metadataOnly ? resource.metadataOnly() : resource;
    const informer = new Informer(source, { selectors, report }, AbortSignal.any([signal, stop.signal]));
    return { informer, stop, uses: 0 };
  }
}

function keyOf({ group, version, resource }: ResourceReference, followed: Followed): string {
  const { metadataOnly = false, namespace = '', selectors = {} } = followed;
  return JSON.stringify([group, version, resource, namespace, metadataOnly, selectors]);
}
