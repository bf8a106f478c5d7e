import type { AdmissionChain, ObjectUpdater } from '../admission/index.ts';
import type { GroupResource } from '../meta/group-version.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';
import { CorruptObjectError, type ObjectStore } from '../store/index.ts';
import type { KindTest } from './decodable-kind.ts';
import { followObjects, type ObjectFollower } from './follow-objects.ts';
import { createObject } from './lifecycle/create.ts';
import { objectResource, offered } from './object-resource.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import type { CreateRequest, Resource, Verbs } from './resource.ts';
import { type ItemName, ResourceContext, storageRoot } from './resource-context.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';

export interface ResourceSetOptions {
  readonly definitions: readonly ResourceDefinition[];
  /** Further versions of the types that are not served. Objects may have been written through them earlier. */
  readonly unserved?: readonly ResourceDefinition[];
  /** Called once per stored type, on its first use. All served versions of a type share the store. */
  readonly openStore: (prefix: string, type: StoredKind) => ObjectStore;
  /** Whether a kind with this name exists, served or not. By default none does. */
  readonly isKind?: KindTest;
  /** Creates the plugins, which may read the objects of the set, and update counters in them. */
  readonly admission?: (objects: ObjectReader & ObjectUpdater) => AdmissionChain;
  /** The verbs of a type that is not stored. Undefined when it is not served. */
  readonly virtual?: (definition: ResourceDefinition, set: ResourceSet) => Verbs | undefined;
  /** The verbs of a subresource that its definition does not describe. Undefined when it is not served. */
  readonly subresource?: (definition: ResourceDefinition, name: string, set: ResourceSet) => Verbs | undefined;
  /** Undefined for types without reservations. */
  readonly transactions?: (definition: ResourceDefinition, set: ResourceSet) => ObjectTransactions | undefined;
}

/** Who creates an object, and who owns its fields. */
export type ObjectWriter = Pick<CreateRequest, 'user' | 'fieldManager'>;

/** The kind stored under one prefix. */
export interface StoredKind {
  readonly resource: GroupResource;
  readonly kind: string;
}

/** The served resources by group, version and plural. */
export class ResourceSet implements ObjectReader, ObjectUpdater {
  readonly definitions: readonly ResourceDefinition[];
  /** Increases with every change of the set, so that derived data can be cached for one generation. */
  readonly generation = 1;
  /** Undefined without plugins. */
  readonly admission: AdmissionChain | undefined;
  readonly #resources = new Map<string, Map<string, Resource>>();
  readonly #stores = new Map<string, ObjectStore>();
  readonly #contexts = new Map<string, ResourceContext>();
  /** A cache by the constants that the plugins use for lookups, on every write. */
  readonly #contextByType = new WeakMap<StoredType, ResourceContext>();
  readonly #openStore: ResourceSetOptions['openStore'];
  /** The contexts of unserved versions, which are needed to read objects written through them. */
  readonly #unservedContexts = new Map<ResourceDefinition, ResourceContext>();
  readonly #unserved: readonly ResourceDefinition[];
  readonly #transactions: ResourceSetOptions['transactions'];
  readonly #subresource: ResourceSetOptions['subresource'];
  readonly #isKind: KindTest | undefined;
  readonly #isServed: (resource: string) => boolean;

  constructor(options: ResourceSetOptions) {
    this.#openStore = options.openStore;
    this.#unserved = options.unserved ?? [];
    this.admission = options.admission?.(this);
    this.#transactions = options.transactions;
    this.#subresource = options.subresource;
    this.#isKind = options.isKind;
    const served = options.definitions.map((definition) => ({
      definition: offered(definition, (name) => this.#special(definition, name) !== undefined),
      verbs: definition.storage === undefined ? options.virtual?.(definition, this) : undefined,
    }));
    const known = served.filter(({ definition, verbs }) => definition.storage !== undefined || verbs !== undefined);
    this.definitions = known.map(({ definition }) => definition);
    const servedNames = new Set(this.definitions.map(({ group, resource }) => `${group}/${resource}`));
    this.#isServed = (resource) => servedNames.has(resource);
    for (const { definition, verbs } of known) {
      if (definition.storage !== undefined) this.#add(definition, definition.storage);
      else this.#serve({ definition, verbs: verbs!, subresources: new Map() });
    }
  }

  /** Undefined when the group version or the resource is not served. */
  find({ group, version, resource }: { group: string; version: string; resource: string }): Resource | undefined {
    return this.#resources.get(`${group}/${version}`)?.get(resource);
  }

  get(type: StoredType, item: { namespace: string; name: string }): MaybePromise<ResourceObject | undefined> {
    const context = this.#context(type);
    const found = context.store.get(context.key(item.namespace, item.name));
    return mapMaybe(found, (object) => object && context.shared(object));
  }

  list(type: StoredType, namespace: string): MaybePromise<ResourceObject[]> {
    const context = this.#context(type);
    const found = context.store.list({ prefix: context.prefix(namespace), limit: 0, skipCorrupt: true });
    return mapMaybe(found, ({ runs }) => {
      const read: ResourceObject[] = [];
      for (const { objects } of runs) for (const object of objects) read.push(context.shared(object));
      return read;
    });
  }

  /** The names of stored objects that cannot be read, in all namespaces. */
  async unreadable(type: StoredType): Promise<ItemName[]> {
    const context = this.#context(type);
    try {
      await context.store.list({ prefix: context.prefix(''), limit: 0 });
      return [];
    } catch (error) {
      if (!(error instanceof CorruptObjectError)) throw error;
      return error.objects.map(({ key }) => context.itemName(key));
    }
  }

  /** Creates an object on behalf of the server. Rejects with a StatusError. */
  async create(type: StoredType, object: ResourceObject, writer: ObjectWriter): Promise<void> {
    await createObject(this.#context(type), object, { ...writer, dryRun: false, warn: () => {} });
  }

  /** Resolves with the resulting object. Undefined when there is none. */
  async update(
    type: StoredType,
    item: { namespace: string; name: string },
    change: (object: ResourceObject) => ResourceObject | undefined,
  ): Promise<ResourceObject | undefined> {
    const context = this.#context(type);
    const { object } = await context.update(item, (current) => {
      const changed = current && change(context.read(current));
      if (changed === undefined) return { action: 'keep' };
      return { action: 'put', value: context.encode(context.canonical(changed)) };
    });
    return object && context.read(object);
  }

  /** Resolves when the existing objects have been reported. Rejects when they cannot be read. */
  follow(type: StoredType, follower: ObjectFollower): Promise<void> {
    return followObjects(this.#context(type), follower);
  }

  #context(type: StoredType): ResourceContext {
    const known = this.#contextByType.get(type);
    if (known !== undefined) return known;
    const context = this.#contexts.get(contextKey(type));
    if (context === undefined) throw new TypeError(`${contextKey(type)} is not served`);
    this.#contextByType.set(type, context);
    return context;
  }

  /** The group versions, such as `v1.apps`, with resources that are not served yet. */
  missing(): string[] {
    const absent = this.definitions.filter((definition) => this.find(definition) === undefined);
    return [...new Set(absent.map(({ group, version }) => `${version}.${group}`))];
  }

  hasGroup(group: string): boolean {
    return this.definitions.some((definition) => definition.group === group);
  }

  #add(definition: ResourceDefinition, layout: StorageLayout): void {
    const context = this.#newContext(definition, layout);
    this.#contexts.set(contextKey(definition), context);
    this.#serve(objectResource(context, (name) => this.#special(definition, name)));
  }

  #newContext(definition: ResourceDefinition, layout: StorageLayout): ResourceContext {
    return new ResourceContext({
      definition,
      layout,
      store: this.#store(definition, layout),
      admission: this.admission,
      transactions: this.#transactions?.(definition, this),
      isKind: this.#isKind,
      isServed: this.#isServed,
      versions: () => this.#versions(layout),
    });
  }

  /** Everything stored under one prefix is one type, served or not. */
  #versions({ keyPrefix }: StorageLayout): ResourceContext[] {
    const served = [...this.#contexts.values()].filter(({ definition }) => definition.storage?.keyPrefix === keyPrefix);
    const others = this.#unserved.filter(({ storage }) => storage?.keyPrefix === keyPrefix);
    return [...served, ...others.map((definition) => this.#unservedContext(definition))];
  }

  #unservedContext(definition: ResourceDefinition): ResourceContext {
    const known = this.#unservedContexts.get(definition) ?? this.#newContext(definition, definition.storage!);
    this.#unservedContexts.set(definition, known);
    return known;
  }

  #special(definition: ResourceDefinition, name: string): Verbs | undefined {
    return this.#subresource?.(definition, name, this);
  }

  #serve(resource: Resource): void {
    const { group, version, resource: plural } = resource.definition;
    const groupVersion = `${group}/${version}`;
    const resources = this.#resources.get(groupVersion) ?? new Map<string, Resource>();
    this.#resources.set(groupVersion, resources);
    resources.set(plural, resource);
  }

  #store({ resource, kind }: ResourceDefinition, layout: StorageLayout): ObjectStore {
    const prefix = storageRoot(layout);
    const known = this.#stores.get(prefix);
    if (known !== undefined) return known;
    const store = this.#openStore(prefix, { resource: { group: layout.group, resource }, kind });
    this.#stores.set(prefix, store);
    return store;
  }
}

function contextKey({ group, version, resource }: StoredType): string {
  return `${group}/${version}/${resource}`;
}
