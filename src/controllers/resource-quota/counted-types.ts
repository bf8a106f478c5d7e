import type { DiscoveredResource, Informer, InformerFactory } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Counted, QuotaMeasure } from './quota-usage.ts';

export interface CountedTypesOptions {
  readonly informers: InformerFactory;
  readonly measure: QuotaMeasure;
  /** Called when a counted object is created, changed or deleted. */
  readonly onChange: (change: Change) => void;
}

export interface Change {
  readonly type: DiscoveredResource;
  /** Undefined for a new object. */
  readonly before: ResourceObject | undefined;
  /** Undefined for a deleted object. */
  readonly after: ResourceObject | undefined;
}

/** Runs informers for the types that at least one quota counts. */
export class CountedTypes {
  readonly #options: CountedTypesOptions;
  readonly #followed = new Map<string, { readonly informer: Informer; readonly removeHandler: () => void }>();

  constructor(options: CountedTypesOptions) {
    this.#options = options;
  }

  /** Resolves when the informers of these types have synced. */
  async follow(types: readonly DiscoveredResource[]): Promise<Counted[]> {
    const counted = types.map((type) => ({ type, informer: this.#informer(type) }));
    await Promise.all(counted.map(({ informer }) => informer.synced));
    return counted;
  }

  /** Stops the informers of all other types. */
  keep(types: readonly DiscoveredResource[]): void {
    const kept = new Set(types.map(keyOf));
    for (const [key, { informer, removeHandler }] of this.#followed) {
      if (kept.has(key)) continue;
      removeHandler();
      this.#followed.delete(key);
      this.#options.informers.release(informer);
    }
  }

  #informer(type: DiscoveredResource): Informer {
    const key = keyOf(type);
    const known = this.#followed.get(key);
    if (known !== undefined) return known.informer;
    const { informers, measure, onChange } = this.#options;
    const informer = informers.informer(type, { metadataOnly: !measure.needsWholeObjects(type) });
    informer.addIndex('namespace', ({ metadata }) => [metadata.namespace ?? '']);
    const removeHandler = informer.addHandler({
      added: (after) => onChange({ type, before: undefined, after }),
      updated: (after, before) => onChange({ type, before, after }),
      deleted: (before) => onChange({ type, before, after: undefined }),
    });
    this.#followed.set(key, { informer, removeHandler });
    return informer;
  }
}

/** The key includes the version, because another version has to be followed when this one is no longer served. */
function keyOf({ group, version, resource }: DiscoveredResource): string {
  return `${resource}.${version}.${group}`;
}
