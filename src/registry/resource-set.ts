import type { AdmissionChain, KindFinder, ObjectUpdater, ServedKind } from '../admission/index.ts';
import { type Clock, systemClock } from '../meta/clock.ts';
import type { GroupResource } from '../meta/group-version.ts';
import type { IdentitySource } from '../meta/identity-source.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectFollower } from '../meta/object-follower.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';
import { CorruptObjectError, type ObjectStore, type StoredObject, type StoreLoad } from '../store/index.ts';
import type { FindKind } from './decodable-kind.ts';
import { followObjects } from './follow-objects.ts';
import { createObject } from './lifecycle/create.ts';
import { deleteAll } from './lifecycle/delete-all.ts';
import { createPrepared, type DefaultObject } from './lifecycle/prepared-object.ts';
import { type StatusWrite, writeStatus } from './lifecycle/write-status.ts';
import { type ItemName, storageRoot } from './object-keys.ts';
import { objectResource, offered } from './object-resource.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import type { CreateRequest, Resource, Verbs } from './resource.ts';
import { ResourceContext } from './resource-context.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';

export interface ResourceSetOptions {
  readonly definitions: readonly ResourceDefinition[];
  /** Further versions of the types that are not served. Objects may have been written through them earlier. */
  readonly unserved?: readonly ResourceDefinition[];
  /** Called once per stored type. All served versions of a type share the store. The signal shuts it down. */
  readonly openStore: (prefix: string, type: StoredKind, signal: AbortSignal | undefined) => ObjectStore;
  /** Finds a kind by its name, served or not. By default there is none. */
  readonly knownKind?: FindKind;
  /** Creates the plugins, which use the objects of the set when they get requests. It is still empty. */
  readonly admission?: (objects: ResourceSet) => AdmissionChain;
  /** The verbs of a type that is not stored. Undefined when it is not served. */
  readonly virtual?: (definition: ResourceDefinition, set: ResourceSet) => Verbs | undefined;
  /** The verbs of a subresource that its definition does not describe. Undefined when it is not served. */
  readonly subresource?: (definition: ResourceDefinition, name: string, set: ResourceSet) => Verbs | undefined;
  /** Undefined for types without reservations. */
  readonly transactions?: (definition: ResourceDefinition, set: ResourceSet) => ObjectTransactions | undefined;
  /** What another server has read of the same object. It is shared and must not be changed. */
  readonly alreadyRead?: AlreadyRead | undefined;
  /** By default that of the machine. */
  readonly clock?: Clock;
  /** Random by default. */
  readonly identity?: IdentitySource;
}

export type AlreadyRead = (type: StoredType, stored: StoredObject) => ResourceObject | undefined;

/** Who creates an object, and who owns its fields. */
export type ObjectWriter = Pick<CreateRequest, 'user' | 'fieldManager'>;

/** The kind stored under one prefix. */
export interface StoredKind {
  readonly resource: GroupResource;
  readonly kind: string;
}

/** All versions of a stored type that is served for some time only, such as a custom resource. */
export interface DynamicType {
  readonly group: string;
  readonly resource: string;
  /** The served versions. A definition that is also in the previous state of the type keeps its watches. */
  readonly definitions: readonly ResourceDefinition[];
  /** The other versions. Objects may have been written through them earlier. */
  readonly unserved: readonly ResourceDefinition[];
}

interface ServedDynamicType {
  readonly type: DynamicType;
  readonly stop: AbortController;
  /** The writes in flight that may create an object. */
  readonly creates: Set<Promise<unknown>>;
}

const namespaces: StoredType = { group: '', version: 'v1', resource: 'namespaces' };

/** The served resources by group, version and plural. */
export class ResourceSet implements ObjectReader, ObjectUpdater, KindFinder {
  readonly #builtIn: readonly ResourceDefinition[];
  readonly #dynamic = new Map<string, ServedDynamicType>();
  /** Undefined after a change, until they are asked for. */
  #definitions: readonly ResourceDefinition[] | undefined;
  /** By group, version and kind. Undefined after a change, until they are asked for. */
  #kinds: ReadonlyMap<string, ServedKind> | undefined;
  #generation = 1;
  /** Undefined without plugins. */
  readonly admission: AdmissionChain | undefined;
  readonly #resources = new Map<string, Map<string, Resource>>();
  readonly #stores = new Map<string, ObjectStore>();
  readonly #contexts = new Map<string, ResourceContext>();
  /** The served versions of each stored type, by key prefix. */
  readonly #servedVersions = new Map<string, Set<ResourceContext>>();
  /** A cache by the constants that the plugins use for lookups, on every write. */
  #contextByType = new WeakMap<StoredType, ResourceContext>();
  readonly #openStore: ResourceSetOptions['openStore'];
  /** The contexts of unserved versions, which are needed to read objects written through them. */
  readonly #unservedContexts = new WeakMap<ResourceDefinition, ResourceContext>();
  /** By key prefix. */
  readonly #unserved: Map<string, readonly ResourceDefinition[]>;
  readonly #transactions: ResourceSetOptions['transactions'];
  readonly #subresource: ResourceSetOptions['subresource'];
  readonly #knownKind: FindKind | undefined;
  readonly #alreadyRead: AlreadyRead | undefined;
  readonly current: ObjectReader = {
    get: (type, item) => this.#context(type).shared.getCurrent(item),
    list: (type, namespace) => this.#context(type).shared.listCurrent(namespace),
  };
  readonly #isBuiltIn: (resource: string) => boolean;
  readonly clock: Clock;
  readonly #identity: IdentitySource | undefined;

  constructor(options: ResourceSetOptions) {
    this.#openStore = options.openStore;
    this.clock = options.clock ?? systemClock;
    this.#identity = options.identity;
    this.#unserved = Map.groupBy(options.unserved ?? [], ({ storage }) => storage?.keyPrefix ?? '');
    this.admission = options.admission?.(this);
    this.#transactions = options.transactions;
    this.#subresource = options.subresource;
    this.#knownKind = options.knownKind;
    this.#alreadyRead = options.alreadyRead;
    const served = options.definitions.map((definition) => ({
      definition: offered(definition, (name) => this.#special(definition, name) !== undefined),
      verbs: definition.storage === undefined ? options.virtual?.(definition, this) : undefined,
    }));
    const known = served.filter(({ definition, verbs }) => definition.storage !== undefined || verbs !== undefined);
    this.#builtIn = known.map(({ definition }) => definition);
    const builtInNames = new Set(this.#builtIn.map(resourceKey));
    this.#isBuiltIn = (resource) => builtInNames.has(resource);
    for (const { definition, verbs } of known) {
      if (definition.storage !== undefined) this.#add(definition, definition.storage);
      else this.#serve({ definition, verbs: verbs!, subresources: new Map() });
    }
  }

  /** To be called when objects were written to storage past this set. The caches follow by themselves. */
  storeChanged(): void {
    for (const { transactions } of this.#contexts.values()) transactions?.storeChanged?.();
  }

  get definitions(): readonly ResourceDefinition[] {
    this.#definitions ??= [...this.#builtIn, ...[...this.#dynamic.values()].flatMap(({ type }) => type.definitions)];
    return this.#definitions;
  }

  /** Increases with every change of the set, so that derived data can be cached for one generation. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Serves a type, or another state of a type that is served already. Versions that are the same as before stay as they
   * are. The watches of all others end.
   */
  serve(type: DynamicType): void {
    const key = resourceKey(type);
    if (this.#isBuiltIn(key)) throw new TypeError(`${key} is built in`);
    const before = this.#dynamic.get(key);
    const { stop, creates } = before ?? { stop: new AbortController(), creates: new Set() };
    this.#dynamic.set(key, { type, stop, creates });
    const [some] = [...type.definitions, ...type.unserved];
    if (some !== undefined) this.#unserved.set(some.storage!.keyPrefix, type.unserved);
    const earlier = new Set(before?.type.definitions);
    const present = new Set(type.definitions);
    const ended = [...earlier].filter((definition) => !present.has(definition));
    const contexts = ended.map((definition) => this.#remove(definition));
    for (const definition of type.definitions) {
      if (earlier.has(definition)) continue;
      this.#add(definition, definition.storage!, { signal: stop.signal, creates });
    }
    for (const context of this.#servedVersions.get(some?.storage?.keyPrefix ?? '') ?? [])
      context.admissionTargets.versionsChanged();
    this.#changed();
    for (const context of contexts) context.endWatches();
  }

  /** Ends a type: its watches end, and nothing is kept in memory. Stored objects stay. */
  withdraw(type: GroupResource): void {
    const key = resourceKey(type);
    const served = this.#dynamic.get(key);
    if (served === undefined) return;
    this.#dynamic.delete(key);
    const contexts = served.type.definitions.map((definition) => this.#remove(definition));
    for (const { storage } of [...served.type.definitions, ...served.type.unserved]) {
      this.#unserved.delete(storage!.keyPrefix);
      this.#stores.delete(storageRoot(storage!));
    }
    this.#changed();
    for (const context of contexts) context.endWatches();
    served.stop.abort();
  }

  /** Resolves when the writes have ended that have begun to create an object of the type. */
  async createsEnded(type: GroupResource): Promise<void> {
    await Promise.allSettled(this.#dynamic.get(resourceKey(type))?.creates ?? []);
  }

  #changed(): void {
    this.#definitions = undefined;
    this.#kinds = undefined;
    this.#contextByType = new WeakMap();
    this.#generation++;
  }

  #remove(definition: ResourceDefinition): ResourceContext {
    const { group, version, resource, storage } = definition;
    const context = this.#contexts.get(contextKey(definition))!;
    this.#contexts.delete(contextKey(definition));
    this.#servedVersions.get(storage!.keyPrefix)?.delete(context);
    const groupVersion = `${group}/${version}`;
    const resources = this.#resources.get(groupVersion)!;
    resources.delete(resource);
    if (resources.size === 0) this.#resources.delete(groupVersion);
    return context;
  }

  /** Undefined when the group version or the resource is not served. */
  find({ group, version, resource }: { group: string; version: string; resource: string }): Resource | undefined {
    return this.#resources.get(`${group}/${version}`)?.get(resource);
  }

  findKind({ group, version, kind }: { group: string; version: string; kind: string }): ServedKind | undefined {
    this.#kinds ??= new Map(
      this.definitions.map((definition) => [
        `${definition.group}/${definition.version}/${definition.kind}`,
        { stored: definition.storage && definition, namespaced: definition.namespaced },
      ]),
    );
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  get(type: StoredType, item: ItemName): MaybePromise<ResourceObject | undefined> {
    return this.#context(type).shared.get(item);
  }

  list(type: StoredType, namespace: string): MaybePromise<readonly ResourceObject[]> {
    return this.#context(type).shared.list(namespace);
  }

  /** For a copy of the store: what has been read of the same object here. */
  readonly readForCopy: AlreadyRead = (type, { key, revision }) =>
    this.#contexts.get(contextKey(type))?.shared.at(key, revision);

  /** The names of stored objects that cannot be read, in all namespaces. */
  async unreadable(type: StoredType): Promise<ItemName[]> {
    const context = this.#context(type);
    try {
      await context.store.list({ prefix: context.keys.prefix(''), limit: 0 });
      return [];
    } catch (error) {
      if (!(error instanceof CorruptObjectError)) throw error;
      return error.objects.map(({ key }) => context.keys.itemName(key));
    }
  }

  /** Creates an object on behalf of the server. Rejects with a StatusError. */
  async create(type: StoredType, object: ResourceObject, writer: ObjectWriter): Promise<void> {
    await createObject(this.#context(type), object, { ...writer, dryRun: false, warn: () => {} });
  }

  /** Like `create`, of an object that all servers have, for a store in which nothing can refuse it. */
  createPrepared(type: StoredType, wanted: DefaultObject): Promise<void> {
    return createPrepared(this.#context(type), wanted);
  }

  /** Writes the status of an object on behalf of the server. Rejects with a 409 when the object has changed. */
  writeStatus(type: StoredType, write: StatusWrite): Promise<void> {
    return writeStatus(this.#context(type), write);
  }

  /** Resolves with the resulting object. Undefined when there is none. */
  async update(
    type: StoredType,
    item: ItemName,
    change: (object: ResourceObject) => ResourceObject | undefined,
  ): Promise<ResourceObject | undefined> {
    const context = this.#context(type);
    const { object } = await context.update(item, (current) => {
      const changed = current && change(context.codec.read(current));
      if (changed === undefined) return { action: 'keep' };
      return context.codec.put(context.canonical(changed));
    });
    return object && context.codec.read(object);
  }

  /** Deletes all objects of a dynamic type, even if no version is served. Resolves with whether none is left. */
  async deleteAll(type: GroupResource): Promise<boolean> {
    await this.createsEnded(type);
    const { definitions, unserved } = this.#dynamic.get(resourceKey(type))?.type ?? { definitions: [], unserved: [] };
    // The stored version needs no conversion.
    const isStored = ({ version, storage }: ResourceDefinition): boolean => version === storage?.version;
    const served = definitions.find(isStored);
    if (served !== undefined) return deleteAll(this.#context(served));
    const other = unserved.find(isStored);
    return other === undefined || deleteAll(this.#unservedContext(other));
  }

  /** Resolves when the existing objects have been reported. Rejects when they cannot be read. */
  follow(type: StoredType, follower: ObjectFollower): Promise<void> {
    return followObjects(this.#context(type), follower);
  }

  /** How much of a served type, in one namespace if it is given, is in memory. Undefined when that is not known. */
  load(type: StoredType, namespace: string): StoreLoad | undefined {
    const context = this.#contexts.get(contextKey(type));
    return context?.store.load?.(context.keys.prefix(namespace));
  }

  #context(type: StoredType): ResourceContext {
    const known = this.#contextByType.get(type);
    if (known !== undefined) return known;
    const context = this.#contexts.get(contextKey(type));
    if (context === undefined) throw new TypeError(`${contextKey(type)} is not served`);
    this.#contextByType.set(type, context);
    return context;
  }

  /** Whether the group has built-in types. */
  hasGroup(group: string): boolean {
    return this.#builtIn.some((definition) => definition.group === group);
  }

  #add(
    definition: ResourceDefinition,
    layout: StorageLayout,
    dynamic?: { readonly signal: AbortSignal; readonly creates: Set<Promise<unknown>> },
  ): void {
    const context = this.#newContext(definition, layout, dynamic?.signal);
    this.#contexts.set(contextKey(definition), context);
    const versions = this.#servedVersions.get(layout.keyPrefix) ?? new Set();
    this.#servedVersions.set(layout.keyPrefix, versions.add(context));
    const resource = objectResource(context, (name) => this.#special(definition, name));
    this.#serve(dynamic === undefined ? resource : { ...resource, verbs: counted(resource.verbs, dynamic.creates) });
  }

  #newContext(definition: ResourceDefinition, layout: StorageLayout, signal?: AbortSignal): ResourceContext {
    const alreadyRead = this.#alreadyRead;
    return new ResourceContext({
      definition,
      layout,
      store: this.#store(definition, layout, signal),
      admission: this.admission,
      transactions: this.#transactions?.(definition, this),
      knownKind: this.#knownKind,
      isServed: (resource) => this.#isBuiltIn(resource) || this.#dynamic.has(resource),
      namespaceLabels: (name) =>
        mapMaybe(this.get(namespaces, { namespace: '', name }), (namespace) => namespace?.metadata.labels),
      versions: () => this.#versions(layout),
      servedVersions: () => [...(this.#servedVersions.get(layout.keyPrefix) ?? [])],
      alreadyRead: alreadyRead && ((stored) => alreadyRead(definition, stored)),
      clock: this.clock,
      identity: this.#identity,
    });
  }

  /** Everything stored under one prefix is one type, served or not. */
  #versions({ keyPrefix }: StorageLayout): ResourceContext[] {
    const others = this.#unserved.get(keyPrefix) ?? [];
    return [
      ...(this.#servedVersions.get(keyPrefix) ?? []),
      ...others.map((definition) => this.#unservedContext(definition)),
    ];
  }

  #unservedContext(definition: ResourceDefinition): ResourceContext {
    const signal = this.#dynamic.get(resourceKey(definition))?.stop.signal;
    const known = this.#unservedContexts.get(definition) ?? this.#newContext(definition, definition.storage!, signal);
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

  #store({ resource, kind }: ResourceDefinition, layout: StorageLayout, signal?: AbortSignal): ObjectStore {
    const prefix = storageRoot(layout);
    const known = this.#stores.get(prefix);
    if (known !== undefined) return known;
    const store = this.#openStore(prefix, { resource: { group: layout.group, resource }, kind }, signal);
    this.#stores.set(prefix, store);
    return store;
  }
}

/** The verbs that can create an object, counted while they run. */
function counted(verbs: Verbs, running: Set<Promise<unknown>>): Verbs {
  const count = <Request, Result>(verb: ((request: Request) => MaybePromise<Result>) | undefined) =>
    verb &&
    ((request: Request) => {
      const result = verb(request);
      if (result instanceof Promise) {
        running.add(result);
        const ended = (): boolean => running.delete(result);
        result.then(ended, ended);
      }
      return result;
    });
  return { ...verbs, create: count(verbs.create), update: count(verbs.update), apply: count(verbs.apply) } as Verbs;
}

function resourceKey({ group, resource }: GroupResource): string {
  return `${group}/${resource}`;
}

function contextKey({ group, version, resource }: StoredType): string {
  return `${group}/${version}/${resource}`;
}
