import { AdmissionChain } from '../admission/admission-chain.ts';
import { namespaceLifecycle } from '../admission/plugins/namespace-lifecycle.ts';
import type { Compatibility } from '../meta/compatibility.ts';
import type { Logger } from '../meta/logger.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { ResourceSet } from '../registry/index.ts';
import { storageRoot } from '../registry/object-keys.ts';
import type { Storage } from '../storage/index.ts';
import { CachedObjectStore, type ObjectStore, RecentBytes } from '../store/index.ts';
import { BackendObjectCodec } from './backend-object-codec.ts';
import type { AnyBackend } from './backend-store.ts';
import type { AnyResource } from './define-resource.ts';
import { FollowedStore } from './followed-store.ts';
import { PassThroughStore } from './pass-through-store.ts';
import { type GroupVersion, resourceType } from './resource-type.ts';
import type { Storages } from './stored-objects.ts';

/** The maximum size of the cache of encoded lists, in bytes. */
const encodedListBudget = 16 * 1024 * 1024;

export interface ServedResourcesOptions extends GroupVersion {
  readonly resources: readonly AnyResource[];
  readonly storages: Storages;
  /** Reads the namespaces of the cluster. */
  readonly namespaces: ObjectReader;
  readonly compatibility: Compatibility;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface ServedResources {
  readonly set: ResourceSet;
  /** The plurals of the types whose backends have not been listed yet. */
  notLoaded(): string[];
}

/** Throws a RangeError for resources that cannot be served. */
export async function servedResources(options: ServedResourcesOptions): Promise<ServedResources> {
  const { resources, storages, namespaces, compatibility, signal, log, ...groupVersion } = options;
  const types = resources.map((resource) => ({ resource, type: resourceType(resource, groupVersion) }));
  checkDistinct(resources);
  const openings = new Map<string, OpenStore>();
  const followed = new Map<string, FollowedStore>();
  const encoded = new RecentBytes(encodedListBudget);
  const cached = (storage: Storage, prefix: string): CachedObjectStore =>
    new CachedObjectStore({ storage, prefix, encoded, signal });
  for (const { resource, type } of types) {
    const { backend, plural } = resource;
    const { kind, namespaced, storage: layout } = type.definitions[0]!;
    const prefix = storageRoot(layout!);
    if ('storage' in backend) {
      const storage = await storages.open(backend);
      openings.set(prefix, () => cached(storage, prefix));
      continue;
    }
    const codec = new BackendObjectCodec({ ...groupVersion, kind, resource: plural, namespaced, prefix });
    openings.set(prefix, () => {
      if (backend.watch === undefined) return new PassThroughStore(backend as AnyBackend, codec);
      const store = new FollowedStore({
        backend: backend as AnyBackend,
        codec,
        copies: cached(storages.memory, prefix),
        report: (err) => log.error('backend not followed', { resource: plural, err }),
        signal,
      });
      followed.set(plural, store);
      return store;
    });
  }
  const set = new ResourceSet({
    definitions: [],
    openStore: (prefix) => openings.get(prefix)!(),
    compatibility,
    admission: () => new AdmissionChain([namespaceLifecycle], namespaces),
  });
  for (const { type } of types) set.serve(type);
  return {
    set,
    notLoaded: () => [...followed].filter(([, { isSynced }]) => !isSynced).map(([plural]) => plural),
  };
}

type OpenStore = () => ObjectStore;

function checkDistinct(resources: readonly AnyResource[]): void {
  for (const field of ['plural', 'kind'] as const) {
    const names = resources.map((resource) => resource[field]);
    const repeated = names.find((name, index) => names.indexOf(name) < index);
    if (repeated !== undefined) throw new RangeError(`two resources have the ${field} ${repeated}`);
  }
}
