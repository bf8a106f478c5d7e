import type { AdmissionChain } from '../admission/index.ts';
import type { Clock } from '../meta/clock.ts';
import type { Compatibility } from '../meta/compatibility.ts';
import type { GroupResource } from '../meta/group-version.ts';
import type { IdentitySource } from '../meta/identity-source.ts';
import { mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { StoredType } from '../meta/object-reader.ts';
import type { ObjectStore, StoredObject } from '../store/index.ts';
import type { FindKind } from './decodable-kind.ts';
import { storageRoot } from './object-keys.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import { ResourceContext } from './resource-context.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { RunningCreates } from './running-creates.ts';
import { ServedVersion, type ServedVersionOptions } from './served-version.ts';

const namespaces: StoredType = { group: '', version: 'v1', resource: 'namespaces' };

/** The kind stored under one prefix. */
export interface StoredKind {
  readonly resource: GroupResource;
  readonly kind: string;
}

export type OpenStore = (prefix: string, type: StoredKind, signal: AbortSignal | undefined) => ObjectStore;

export type FindDecoded = (type: StoredType, stored: StoredObject) => ResourceObject | undefined;

export interface TypeContextsOptions {
  /** Versions of the types that are not served. */
  readonly unserved: readonly ResourceDefinition[];
  readonly openStore: OpenStore;
  readonly admission: AdmissionChain | undefined;
  readonly transactions: (definition: ResourceDefinition) => ObjectTransactions | undefined;
  readonly knownKind: FindKind | undefined;
  readonly isServed: (resource: string) => boolean;
  readonly findDecoded: FindDecoded | undefined;
  readonly creates: RunningCreates;
  readonly clock: Clock;
  readonly identity: IdentitySource | undefined;
  readonly compatibility: Compatibility | undefined;
}

/** The versions of the objects under one key prefix: one type. */
interface TypeState {
  readonly served: Set<ServedVersion>;
  /** The other versions. Objects may have been written through them earlier. */
  unserved: readonly ResourceDefinition[];
  store?: ObjectStore;
  /** Shuts down the store. */
  signal?: AbortSignal | undefined;
}

/** The contexts of all stored types, one per version. The versions of a type know each other and share a store. */
export class TypeContexts {
  readonly #options: TypeContextsOptions;
  readonly #served = new Map<string, ServedVersion>();
  /** A cache by the constants that plugins use for lookups on every write. */
  #byType = new WeakMap<StoredType, ResourceContext>();
  /** The contexts of unserved versions, which are needed to read objects written through them. */
  readonly #unserved = new WeakMap<ResourceDefinition, ResourceContext>();
  /** The types by key prefix. */
  readonly #types = new Map<string, TypeState>();

  constructor(options: TypeContextsOptions) {
    this.#options = options;
    const storedDefinitions = options.unserved.filter(({ storage }) => storage !== undefined);
    for (const [keyPrefix, unserved] of Map.groupBy(storedDefinitions, keyPrefixOf))
      this.#type(keyPrefix).unserved = unserved;
  }

  /** Yields the contexts of the served versions that have been used. */
  *used(): Generator<ResourceContext, undefined> {
    for (const { used } of this.#served.values()) if (used !== undefined) yield used;
  }

  /** Undefined when the version is not served or has not been used. */
  findUsed(type: StoredType): ResourceContext | undefined {
    return this.#served.get(contextKey(type))?.used;
  }

  /** Undefined when the version is not served. */
  find(type: StoredType): ResourceContext | undefined {
    return this.#served.get(contextKey(type))?.context;
  }

  /** Throws when the version is not served. */
  of(type: StoredType): ResourceContext {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const context = this.find(type);
    if (context === undefined) throw new TypeError(`${contextKey(type)} is not served`);
    this.#byType.set(type, context);
    return context;
  }

  ofUnserved(definition: ResourceDefinition): ResourceContext {
    const known = this.#unserved.get(definition) ?? this.#make(definition);
    this.#unserved.set(definition, known);
    return known;
  }

  add(definition: ResourceDefinition, special: ServedVersionOptions['special']): ServedVersion {
    // The store is opened immediately, because objects of unused types are counted as well.
    this.#store(definition);
    const version = new ServedVersion({ definition, context: () => this.#make(definition), special });
    this.#served.set(contextKey(definition), version);
    this.#type(keyPrefixOf(definition)).served.add(version);
    return version;
  }

  remove(definition: ResourceDefinition): ServedVersion {
    const version = this.#served.get(contextKey(definition))!;
    this.#served.delete(contextKey(definition));
    this.#byType = new WeakMap();
    this.#types.get(keyPrefixOf(definition))?.served.delete(version);
    return version;
  }

  /** Sets the versions of a type that are not served. The signal shuts down the store of the type. */
  setUnserved(keyPrefix: string, unserved: readonly ResourceDefinition[], signal: AbortSignal): void {
    const type = this.#type(keyPrefix);
    type.unserved = unserved;
    type.signal = signal;
  }

  /** Notifies the served versions of a type that its versions have changed. */
  versionsChanged(keyPrefix: string): void {
    for (const { used } of this.#types.get(keyPrefix)?.served ?? []) used?.admissionTargets.versionsChanged();
  }

  /** Removes a type without served versions. */
  forget(keyPrefix: string): void {
    this.#types.delete(keyPrefix);
  }

  #type(keyPrefix: string): TypeState {
    const known = this.#types.get(keyPrefix) ?? { served: new Set(), unserved: [] };
    this.#types.set(keyPrefix, known);
    return known;
  }

  #make(definition: ResourceDefinition): ResourceContext {
    const { admission, transactions, knownKind, isServed, findDecoded, creates, clock, identity, compatibility } =
      this.#options;
    const keyPrefix = keyPrefixOf(definition);
    return new ResourceContext({
      definition,
      layout: definition.storage!,
      store: this.#store(definition),
      admission,
      transactions: transactions(definition),
      knownKind,
      isServed,
      namespaceLabels: (name) =>
        mapMaybe(this.of(namespaces).shared.get({ namespace: '', name }), (namespace) => namespace?.metadata.labels),
      versions: () => this.#versions(keyPrefix),
      servedVersions: () => this.#servedVersions(keyPrefix),
      findDecoded: findDecoded && ((stored) => findDecoded(definition, stored)),
      creates,
      clock,
      identity,
      compatibility,
    });
  }

  #versions(keyPrefix: string): ResourceContext[] {
    const unserved = this.#types.get(keyPrefix)?.unserved ?? [];
    return [...this.#servedVersions(keyPrefix), ...unserved.map((definition) => this.ofUnserved(definition))];
  }

  #servedVersions(keyPrefix: string): ResourceContext[] {
    return Array.from(this.#types.get(keyPrefix)?.served ?? [], ({ context }) => context);
  }

  #store({ resource, kind, storage }: ResourceDefinition): ObjectStore {
    const { group, keyPrefix } = storage!;
    const type = this.#type(keyPrefix);
    type.store ??= this.#options.openStore(storageRoot(storage!), { resource: { group, resource }, kind }, type.signal);
    return type.store;
  }
}

function keyPrefixOf({ storage }: ResourceDefinition): string {
  return storage!.keyPrefix;
}

function contextKey({ group, version, resource }: StoredType): string {
  return `${group}/${version}/${resource}`;
}
