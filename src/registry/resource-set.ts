import type { AdmissionChain, KindFinder, ObjectUpdater, ServedKind } from '../admission/index.ts';
import { type Clock, systemClock } from '../meta/clock.ts';
import type { Compatibility } from '../meta/compatibility.ts';
import type { GroupResource } from '../meta/group-version.ts';
import type { IdentitySource } from '../meta/identity-source.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectFollower } from '../meta/object-follower.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';
import { CorruptObjectError, type StoreLoad } from '../store/index.ts';
import type { FindKind } from './decodable-kind.ts';
import { followObjects } from './follow-objects.ts';
import { createObject } from './lifecycle/create.ts';
import { deleteAll } from './lifecycle/delete-all.ts';
import { createPrepared, type DefaultObject } from './lifecycle/prepared-object.ts';
import { writeStatus } from './lifecycle/write-status.ts';
import type { ItemName } from './object-keys.ts';
import { withSupportedSubresources } from './object-resource.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import type { CreateRequest, Resource, Verbs } from './resource.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { type CreateScope, RunningCreates } from './running-creates.ts';
import type { ServedVersion } from './served-version.ts';
import type { FirstStatus, StatusWrite } from './status-write.ts';
import { type FindDecoded, type OpenStore, TypeContexts } from './type-contexts.ts';

export interface ResourceSetOptions {
  readonly definitions: readonly ResourceDefinition[];
  /** Further versions of the types that are not served. Objects may have been written through them earlier. */
  readonly unserved?: readonly ResourceDefinition[];
  /** Called once per stored type. All served versions of a type share the store. The signal shuts it down. */
  readonly openStore: OpenStore;
  /** Finds a kind by its name, served or not. Default: no kind is found. */
  readonly knownKind?: FindKind;
  /** Creates the plugins. The set is still empty at this time. The plugins use its objects when they get requests. */
  readonly admission?: (objects: ResourceSet) => AdmissionChain;
  /** The verbs of a type that is not stored. Undefined when it is not served. */
  readonly virtual?: (definition: ResourceDefinition, set: ResourceSet) => Verbs | undefined;
  /** The verbs of a subresource that its definition does not describe. Undefined when it is not served. */
  readonly subresource?: (definition: ResourceDefinition, name: string, set: ResourceSet) => Verbs | undefined;
  /** Undefined for types without reservations. */
  readonly transactions?: (definition: ResourceDefinition, set: ResourceSet) => ObjectTransactions | undefined;
  /**
   * Returns the object if another server in this process has already parsed it. It is shared and must not be changed.
   */
  readonly findDecoded?: FindDecoded | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Random by default. */
  readonly identity?: IdentitySource;
  /** What decides where the specification and kube-apiserver differ. Default: the specification. */
  readonly compatibility?: Compatibility;
}

/** The creator of an object, and the owner of its fields. */
export type ObjectWriter = Pick<CreateRequest, 'user' | 'fieldManager'>;

/** All versions of a stored type that can be added and removed while the server runs, such as a custom resource. */
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
}

/** The served resources by group, version and plural. */
export class ResourceSet implements ObjectReader, ObjectUpdater, KindFinder {
  readonly #builtIn: readonly ResourceDefinition[];
  readonly #dynamic = new Map<string, ServedDynamicType>();
  /** Undefined after a change, until the next use. */
  #definitions: readonly ResourceDefinition[] | undefined;
  /** Keyed by group, version and kind. Undefined after a change, until the next use. */
  #kinds: ReadonlyMap<string, ServedKind> | undefined;
  #generation = 1;
  /** Undefined without plugins. */
  readonly admission: AdmissionChain | undefined;
  readonly #resources = new Map<string, Map<string, { readonly resource: Resource }>>();
  readonly #contexts: TypeContexts;
  readonly #creates = new RunningCreates();
  readonly #subresource: ResourceSetOptions['subresource'];
  readonly current: ObjectReader = {
    get: (type, item) => this.#contexts.of(type).shared.getCurrent(item),
    list: (type, namespace) => this.#contexts.of(type).shared.listCurrent(namespace),
  };
  readonly #isBuiltIn: (resource: string) => boolean;
  readonly clock: Clock;

  constructor(options: ResourceSetOptions) {
    this.clock = options.clock ?? systemClock;
    this.admission = options.admission?.(this);
    this.#subresource = options.subresource;
    this.#contexts = new TypeContexts({
      unserved: options.unserved ?? [],
      openStore: options.openStore,
      admission: this.admission,
      transactions: (definition) => options.transactions?.(definition, this),
      knownKind: options.knownKind,
      isServed: (resource) => this.#isBuiltIn(resource) || this.#dynamic.has(resource),
      findDecoded: options.findDecoded,
      creates: this.#creates,
      clock: this.clock,
      identity: options.identity,
      compatibility: options.compatibility,
    });
    const served = options.definitions.map((definition) => ({
      definition: withSupportedSubresources(definition, (name) => this.#special(definition, name) !== undefined),
      verbs: definition.storage === undefined ? options.virtual?.(definition, this) : undefined,
    }));
    const known = served.filter(({ definition, verbs }) => definition.storage !== undefined || verbs !== undefined);
    this.#builtIn = known.map(({ definition }) => definition);
    const builtInNames = new Set(this.#builtIn.map(resourceKey));
    this.#isBuiltIn = (resource) => builtInNames.has(resource);
    for (const { definition, verbs } of known) {
      if (definition.storage !== undefined) this.#addStored(definition);
      else this.#add(definition, { resource: { definition, verbs: verbs!, subresources: new Map() } });
    }
  }

  /** Must be called when objects were written to storage without this set. The caches update themselves. */
  storeChanged(): void {
    for (const { transactions } of this.#contexts.used()) transactions?.storeChanged?.();
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
   * Adds a type, or replaces the state of a type that is served already. Unchanged versions are kept. The watches of
   * all other versions end.
   */
  serve(type: DynamicType): void {
    const key = resourceKey(type);
    if (this.#isBuiltIn(key)) throw new TypeError(`${key} is built in`);
    const before = this.#dynamic.get(key);
    const { stop } = before ?? { stop: new AbortController() };
    this.#dynamic.set(key, { type, stop });
    const [some] = [...type.definitions, ...type.unserved];
    const keyPrefix = some?.storage?.keyPrefix ?? '';
    if (some !== undefined) this.#contexts.setUnserved(keyPrefix, type.unserved, stop.signal);
    const earlier = new Set(before?.type.definitions);
    const present = new Set(type.definitions);
    const ended = [...earlier].filter((definition) => !present.has(definition));
    const versions = ended.map((definition) => this.#remove(definition));
    for (const definition of type.definitions) {
      if (!earlier.has(definition)) this.#addStored(definition);
    }
    this.#contexts.versionsChanged(keyPrefix);
    this.#changed();
    for (const { used } of versions) used?.endWatches();
  }

  /** Removes a type: its watches end, and nothing is kept in memory. Stored objects stay. */
  withdraw(type: GroupResource): void {
    const key = resourceKey(type);
    const served = this.#dynamic.get(key);
    if (served === undefined) return;
    this.#dynamic.delete(key);
    const { definitions, unserved } = served.type;
    const versions = definitions.map((definition) => this.#remove(definition));
    for (const { storage } of [...definitions, ...unserved]) this.#contexts.forget(storage!.keyPrefix);
    this.#changed();
    for (const { used } of versions) used?.endWatches();
    served.stop.abort();
  }

  /** Resolves when all running writes that create an object in the scope have ended. */
  createsEnded(scope: CreateScope): Promise<void> {
    return this.#creates.ended(scope);
  }

  #changed(): void {
    this.#definitions = undefined;
    this.#kinds = undefined;
    this.#generation++;
  }

  #addStored(definition: ResourceDefinition): void {
    const special = (name: string): Verbs | undefined => this.#special(definition, name);
    this.#add(definition, this.#contexts.add(definition, special));
  }

  #special(definition: ResourceDefinition, name: string): Verbs | undefined {
    return this.#subresource?.(definition, name, this);
  }

  #add({ group, version, resource }: ResourceDefinition, served: { readonly resource: Resource }): void {
    const groupVersion = `${group}/${version}`;
    const resources = this.#resources.get(groupVersion) ?? new Map<string, { readonly resource: Resource }>();
    this.#resources.set(groupVersion, resources);
    resources.set(resource, served);
  }

  #remove(definition: ResourceDefinition): ServedVersion {
    const { group, version, resource } = definition;
    const groupVersion = `${group}/${version}`;
    const resources = this.#resources.get(groupVersion)!;
    resources.delete(resource);
    if (resources.size === 0) this.#resources.delete(groupVersion);
    return this.#contexts.remove(definition);
  }

  /** Undefined when the group version or the resource is not served. */
  find({ group, version, resource }: { group: string; version: string; resource: string }): Resource | undefined {
    return this.#resources.get(`${group}/${version}`)?.get(resource)?.resource;
  }

  findKind({ group, version, kind }: { group: string; version: string; kind: string }): ServedKind | undefined {
    this.#kinds ??= new Map(
      this.definitions.map((definition) => [
        `${definition.group}/${definition.version}/${definition.kind}`,
        { storedType: definition.storage && definition, namespaced: definition.namespaced },
      ]),
    );
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  get(type: StoredType, item: ItemName): MaybePromise<ResourceObject | undefined> {
    return this.#contexts.of(type).shared.get(item);
  }

  list(type: StoredType, namespace: string): MaybePromise<readonly ResourceObject[]> {
    return this.#contexts.of(type).shared.list(namespace);
  }

  /** Returns an object that was parsed here, for a server with a copy of the store. */
  readonly readForCopy: FindDecoded = (type, { key, revision }) =>
    this.#contexts.findUsed(type)?.shared.at(key, revision);

  /** The names of stored objects that cannot be read, in all namespaces. */
  async unreadable(type: StoredType): Promise<ItemName[]> {
    const context = this.#contexts.of(type);
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
    await createObject(this.#contexts.of(type), object, { ...writer, dryRun: false, warn: () => {} });
  }

  /** Like `create`, for an object that all servers have, in a store where nothing can reject it. */
  createPrepared(type: StoredType, wanted: DefaultObject): Promise<void> {
    return createPrepared(this.#contexts.of(type), wanted);
  }

  /** Writes the status of an object on behalf of the server. Rejects with a 409 when the object has changed. */
  writeStatus(type: StoredType, write: StatusWrite): Promise<void> {
    return writeStatus(this.#contexts.of(type), write);
  }

  /** Decides the status of new objects of a type, which is stored with them where the store can do so. */
  setFirstStatus(type: StoredType, of: (object: ResourceObject) => FirstStatus | undefined): void {
    this.#contexts.of(type).firstStatus = of;
  }

  /** Resolves with the resulting object, or with undefined when it does not exist. */
  async update(
    type: StoredType,
    item: ItemName,
    change: (object: ResourceObject) => ResourceObject | undefined,
  ): Promise<ResourceObject | undefined> {
    const context = this.#contexts.of(type);
    const { object } = await context.update(item, (current) => {
      const changed = current && change(context.codec.read(current));
      if (changed === undefined) return { action: 'keep' };
      return context.codec.put(context.canonical(changed));
    });
    return object && context.codec.read(object);
  }

  /** Deletes all objects of a dynamic type, even if no version is served. Resolves with true when none are left. */
  async deleteAll(type: GroupResource): Promise<boolean> {
    const { definitions, unserved } = this.#dynamic.get(resourceKey(type))?.type ?? { definitions: [], unserved: [] };
    // The stored version needs no conversion.
    const isStored = ({ version, storage }: ResourceDefinition): boolean => version === storage?.version;
    const served = definitions.find(isStored);
    if (served !== undefined) return deleteAll(this.#contexts.of(served));
    const other = unserved.find(isStored);
    return other === undefined || deleteAll(this.#contexts.ofUnserved(other));
  }

  /** Resolves when the existing objects have been reported. Rejects when they cannot be read. */
  follow(type: StoredType, follower: ObjectFollower): Promise<void> {
    return followObjects(this.#contexts.of(type), follower);
  }

  /**
   * Returns how many objects of a served type are in memory, in one namespace if it is given. Undefined when that is
   * not known.
   */
  load(type: StoredType, namespace: string): StoreLoad | undefined {
    const context = this.#contexts.find(type);
    return context?.store.load?.(context.keys.prefix(namespace));
  }

  /** The size of an object of a served type, in bytes, if it is in memory. */
  cachedSize(type: StoredType, { namespace, name }: ItemName): number | undefined {
    const context = this.#contexts.find(type);
    return context?.store.cachedSize?.(context.keys.of(namespace, name));
  }

  /** Whether the group has built-in types. */
  hasGroup(group: string): boolean {
    return this.#builtIn.some((definition) => definition.group === group);
  }
}

function resourceKey({ group, resource }: GroupResource): string {
  return `${group}/${resource}`;
}
