import type { AdmissionChain } from '../admission/index.ts';
import { type Clock, systemClock } from '../meta/clock.ts';
import { type Compatibility, specification } from '../meta/compatibility.ts';
import { apiVersionOf, type GroupKind, type GroupResource } from '../meta/group-version.ts';
import { type IdentitySource, randomIdentity } from '../meta/identity-source.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { ObjectMeta, ResourceObject } from '../meta/object.ts';
import { type CompiledKind, compileKind, Findings } from '../schema/normalize/index.ts';
import type { Decide, ObjectStore, Outcome, StoredObject, UpdateOptions } from '../store/index.ts';
import { AdmissionTargets } from './admission-targets.ts';
import type { FindKind } from './decodable-kind.ts';
import { FieldOwnership } from './field-ownership.ts';
import { ObjectCodec } from './object-codec.ts';
import { type ItemName, ObjectKeys } from './object-keys.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';
import { RunningCreates } from './running-creates.ts';
import { SharedObjects } from './shared-objects.ts';
import type { FirstStatus } from './status-write.ts';
import { writeFailure } from './storage-failure.ts';
import { TypeVersions } from './type-versions.ts';
import { SharedWatchEvents } from './watch-event.ts';

export type NamespaceLabels = (namespace: string) => MaybePromise<ObjectMeta['labels']>;

/** The dependencies of the lifecycles of one served resource. */
export class ResourceContext {
  readonly definition: ResourceDefinition;
  readonly layout: StorageLayout;
  readonly store: ObjectStore;
  readonly groupResource: GroupResource;
  readonly groupKind: GroupKind;
  readonly apiVersion: string;
  /** Whether the status has its own subresource. */
  readonly hasStatus: boolean;
  readonly keys: ObjectKeys;
  /** All versions of the type, served or not, including this one. */
  readonly versions: TypeVersions<ResourceContext>;
  readonly codec: ObjectCodec;
  /** The objects for readers in this process. */
  readonly shared: SharedObjects;
  /** The events, which all watchers of this resource share. */
  readonly watchEvents: SharedWatchEvents;
  /** Undefined without plugins. */
  readonly admission: AdmissionChain | undefined;
  readonly admissionTargets: AdmissionTargets;
  /** Undefined for types without reservations. */
  readonly transactions: ObjectTransactions | undefined;
  readonly knownKind: FindKind;
  /** Whether any version of a resource, as `group/resource`, is served. */
  readonly isServed: (resource: string) => boolean;
  /** The labels of a namespace, by its name. */
  readonly namespaceLabels: NamespaceLabels;
  /** The writes in flight that may create an object of any type. */
  readonly creates: RunningCreates;
  readonly clock: Clock;
  readonly identity: IdentitySource;
  /** What decides where the specification and kube-apiserver differ. */
  readonly compatibility: Compatibility;
  /** Tracks the field managers of the objects. */
  readonly ownership: FieldOwnership;
  /**
   * Called for each object that is being created. The returned status is stored with it. Set while a controller
   * maintains the status.
   */
  firstStatus: ((object: ResourceObject) => FirstStatus | undefined) | undefined;
  /** Ends the open watches. */
  readonly #watchEnds = new Set<() => void>();
  #compiled: CompiledKind | undefined;
  #blank: ResourceObject | undefined;

  constructor(options: {
    definition: ResourceDefinition;
    layout: StorageLayout;
    store: ObjectStore;
    admission?: AdmissionChain | undefined;
    transactions?: ObjectTransactions | undefined;
    knownKind?: FindKind | undefined;
    isServed?: ((resource: string) => boolean) | undefined;
    namespaceLabels?: NamespaceLabels;
    /** The contexts of all versions of the type, served or not, including this one. Called when one is needed. */
    versions?: () => readonly ResourceContext[];
    /** Returns the contexts of the served versions. */
    servedVersions?: () => readonly ResourceContext[];
    /** Returns the object if another server in this process has already parsed it. */
    findDecoded?: ((stored: StoredObject) => ResourceObject | undefined) | undefined;
    creates?: RunningCreates;
    clock?: Clock | undefined;
    identity?: IdentitySource | undefined;
    compatibility?: Compatibility | undefined;
  }) {
    const { definition, layout, store, versions = () => [this], servedVersions = versions, findDecoded } = options;
    const { group, version, kind, resource } = definition;
    this.definition = definition;
    this.layout = layout;
    this.store = store;
    this.admission = options.admission;
    this.transactions = options.transactions;
    this.knownKind = options.knownKind ?? (() => undefined);
    this.isServed = options.isServed ?? (() => false);
    this.namespaceLabels = options.namespaceLabels ?? (() => undefined);
    this.creates = options.creates ?? new RunningCreates();
    this.clock = options.clock ?? systemClock;
    this.identity = options.identity ?? randomIdentity;
    this.compatibility = options.compatibility ?? specification;
    this.hasStatus = definition.subresources.some(({ name }) => name === 'status');
    this.groupResource = { group, resource };
    // Errors name the group in which objects are stored, even if the request used another one.
    this.groupKind = { group: layout.group, kind };
    this.apiVersion = apiVersionOf({ group, version });
    this.keys = new ObjectKeys(layout);
    this.versions = new TypeVersions(this, versions);
    this.codec = new ObjectCodec(this, this.versions);
    this.shared = new SharedObjects({ store, keys: this.keys, codec: this.codec, findDecoded });
    this.watchEvents = new SharedWatchEvents((object, revision) => this.codec.documentAt(object, revision));
    this.admissionTargets = new AdmissionTargets(this, servedVersions);
    this.ownership = new FieldOwnership({
      group,
      resource,
      // A custom type that is never used needs no schema.
      get schema() {
        return definition.schema;
      },
      apiVersion: this.apiVersion,
      hasStatus: this.hasStatus,
      acceptsWrongTypes: definition.storage?.converter !== undefined,
      clock: this.clock,
      quantitiesByAmount: this.compatibility.quantitiesByAmount,
      toVersion: (object, apiVersion) => this.versions.ownedIn(apiVersion, object as ResourceObject),
    });
  }

  /** Compiled on first use: most types of a server are never used. */
  get compiled(): CompiledKind {
    const { schema, kind } = this.definition;
    this.#compiled ??= compileKind({ schema, kind, apiVersion: this.apiVersion });
    return this.#compiled;
  }

  /** The status of a new object. Undefined when the type has none. Shared, so it must not be changed. */
  get blankStatus(): unknown {
    this.#blank ??= this.compiled.normalize({}, new Findings());
    return this.#blank.status;
  }

  /** Normalizes an object that the server has changed, with fields in canonical order. */
  canonical(object: ResourceObject): ResourceObject {
    return this.compiled.normalize(object, new Findings(), { defaults: false });
  }

  inVersion(apiVersion: string): ResourceContext | undefined {
    return this.versions.find(apiVersion);
  }

  /**
   * Changes one object like `ObjectStore.update`. The current object that `decide` gets is ready to be read, and so is
   * the resulting one. Turns errors of storage into a StatusError.
   */
  async update({ namespace, name }: ItemName, decide: Decide, options?: UpdateOptions): Promise<Outcome> {
    const key = this.keys.of(namespace, name);
    const { served } = this.codec;
    try {
      if (served === undefined) return await this.store.update(key, decide, options);
      return await served.update(this.store, key, { decide, options, isAsStored: !this.versions.needsConverter });
    } catch (error) {
      throw writeFailure(error);
    }
  }

  /** Whether a stored value may be in a form or version in which it would not be written now. */
  get mayBeOutdated(): boolean {
    return this.store.mayBeStale === true || this.layout.converter !== undefined;
  }

  /** Registers an open watch. It is ended when the type is withdrawn or its definition changes. */
  watching(end: () => void, signal: AbortSignal): void {
    this.#watchEnds.add(end);
    signal.addEventListener('abort', () => this.#watchEnds.delete(end), { once: true });
  }

  endWatches(): void {
    for (const end of this.#watchEnds) end();
  }
}
