import type { AdmissionChain, ObjectReader, StoredType } from '../admission/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ListResult, ObjectStore } from '../store/index.ts';
import { admitNamespace, type NewObject } from './admit-namespace.ts';
import { objectResource, offered } from './object-resource.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import type { Resource } from './resource.ts';
import { ResourceContext, storageRoot } from './resource-context.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';

export interface ResourceSetOptions {
  readonly definitions: readonly ResourceDefinition[];
  /** Called once per stored type, on its first use; served versions of one type share it. */
  readonly openStore: (prefix: string) => ObjectStore;
  /** The plugins may read what the set serves. */
  readonly admission?: (objects: ObjectReader) => AdmissionChain;
  /** Undefined for types that take nothing elsewhere. */
  readonly transactions?: (definition: ResourceDefinition, set: ResourceSet) => ObjectTransactions | undefined;
}

/** The served resources by group, version and plural. */
export class ResourceSet implements ObjectReader {
  readonly definitions: readonly ResourceDefinition[];
  /** Grows with every change of the set, so that what is derived from it can be kept until then. */
  readonly generation = 1;
  readonly #resources = new Map<string, Map<string, Resource>>();
  readonly #stores = new Map<string, ObjectStore>();
  readonly #contexts = new Map<string, ResourceContext>();
  readonly #openStore: (prefix: string) => ObjectStore;
  readonly #admission: AdmissionChain | undefined;
  readonly #transactions: ResourceSetOptions['transactions'];

  constructor(options: ResourceSetOptions) {
    this.#openStore = options.openStore;
    this.#admission = options.admission?.(this);
    this.#transactions = options.transactions;
    // What is not stored is an operation; those come with their own implementations.
    this.definitions = options.definitions.filter(({ storage }) => storage !== undefined).map(offered);
    for (const definition of this.definitions) this.#add(definition, definition.storage!);
  }

  /** Undefined when the group version or the resource is not served. */
  find({ group, version, resource }: { group: string; version: string; resource: string }): Resource | undefined {
    return this.#resources.get(`${group}/${version}`)?.get(resource);
  }

  get(
    type: StoredType,
    { namespace, name }: { namespace: string; name: string },
  ): MaybePromise<ResourceObject | undefined> {
    const context = this.#context(type);
    const found = context.store.get(context.key(namespace, name));
    if (found instanceof Promise) return found.then((object) => object && context.read(object));
    return found && context.read(found);
  }

  list(type: StoredType, namespace: string): MaybePromise<ResourceObject[]> {
    const context = this.#context(type);
    const found = context.store.list({ prefix: context.prefix(namespace), limit: 0 });
    const read = ({ runs }: ListResult) => runs.flatMap(({ objects }) => objects.map((object) => context.read(object)));
    return found instanceof Promise ? found.then(read) : read(found);
  }

  #context(type: StoredType): ResourceContext {
    const context = this.#contexts.get(contextKey(type));
    if (context === undefined) throw new TypeError(`${contextKey(type)} is not served`);
    return context;
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
      admission: this.#admission,
      transactions: this.#transactions?.(definition, this),
    });
    this.#contexts.set(contextKey(definition), context);
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

function contextKey({ group, version, resource }: StoredType): string {
  return `${group}/${version}/${resource}`;
}
