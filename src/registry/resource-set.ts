import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ObjectStore } from '../store/index.ts';
import { admitNamespace, type NewObject } from './admit-namespace.ts';
import { objectResource, offered } from './object-resource.ts';
import type { Resource } from './resource.ts';
import { ResourceContext, storageRoot } from './resource-context.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';

/** The served resources by group, version and plural. */
export class ResourceSet {
  readonly definitions: readonly ResourceDefinition[];
  /** Grows with every change of the set, so that what is derived from it can be kept until then. */
  readonly generation = 1;
  readonly #resources = new Map<string, Map<string, Resource>>();
  readonly #stores = new Map<string, ObjectStore>();
  readonly #openStore: (prefix: string) => ObjectStore;

  /** `openStore` is called once per stored type, on its first use; served versions of one type share it. */
  constructor(options: { definitions: readonly ResourceDefinition[]; openStore: (prefix: string) => ObjectStore }) {
    this.#openStore = options.openStore;
    // What is not stored is an operation; those come with their own implementations.
    this.definitions = options.definitions.filter(({ storage }) => storage !== undefined).map(offered);
    for (const definition of this.definitions) this.#add(definition, definition.storage!);
  }

  /** Undefined when the group version or the resource is not served. */
  find({ group, version, resource }: { group: string; version: string; resource: string }): Resource | undefined {
    return this.#resources.get(`${group}/${version}`)?.get(resource);
  }

  /** The group versions, as `v1.apps`, of which not every resource is served yet. */
  missing(): string[] {
    const absent = this.definitions.filter((definition) => this.find(definition) === undefined);
    return [...new Set(absent.map(({ group, version }) => `${version}.${group}`))];
  }

  hasGroup(group: string): boolean {
    return this.definitions.some((definition) => definition.group === group);
  }

  #add(definition: ResourceDefinition, layout: StorageLayout): void {
    const groupVersion = `${definition.group}/${definition.version}`;
    const resources = this.#resources.get(groupVersion) ?? new Map<string, Resource>();
    this.#resources.set(groupVersion, resources);
    const context = new ResourceContext({
      definition,
      layout,
      store: this.#store(storageRoot(layout)),
      admitNamespace: (created) => this.#admitNamespace(created),
    });
    resources.set(definition.resource, objectResource(context));
  }

  #store(prefix: string): ObjectStore {
    const store = this.#stores.get(prefix) ?? this.#openStore(prefix);
    this.#stores.set(prefix, store);
    return store;
  }

  #admitNamespace(created: NewObject): MaybePromise<void> {
    const prefix = '/registry/namespaces/';
    const found = this.#stores.get(prefix)?.get(prefix + created.namespace);
    if (found instanceof Promise) return found.then((namespace) => admitNamespace(created, namespace));
    admitNamespace(created, found);
  }
}
