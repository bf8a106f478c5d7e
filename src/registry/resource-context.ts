import type { AdmissionChain, AdmissionTarget } from '../admission/index.ts';
import { encodeChanged, encodeObject, type ParsedDocument, utf8Bytes } from '../codec/json/index.ts';
import { type Clock, systemClock } from '../meta/clock.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { apiVersionOf, type GroupKind, type GroupResource } from '../meta/group-version.ts';
import { type IdentitySource, randomIdentity } from '../meta/identity-source.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ObjectMeta, ResourceObject } from '../meta/object.ts';
import { untilReady } from '../meta/pending.ts';
import { badRequest } from '../meta/status-error.ts';
import { type CompiledKind, compileKind, Findings } from '../schema/normalize/index.ts';
import {
  type Allocate,
  type Decide,
  type Decision,
  joinItems,
  type ObjectRun,
  type ObjectStore,
  type Outcome,
  parseDocument,
  type StoredObject,
  type UpdateOptions,
} from '../store/index.ts';
import { storedTarget } from './admit-write.ts';
import type { FindKind } from './decodable-kind.ts';
import { FieldOwnership } from './field-ownership.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import { PendingConversions } from './pending-conversion.ts';
import type { DocumentGroup } from './resource.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';
import { ServedDocuments } from './served-documents.ts';
import { writeFailure } from './storage-failure.ts';
import { SharedWatchEvents } from './watch-event.ts';

/** Larger lists are not cached: they would evict everything else, and each other, before being read again. */
const maxKeptSize = 32 * 1024 * 1024;

/** How many lists of one state are kept, and how many objects one of them may have. */
const maxLists = 1024;
const maxListed = 64;

/** The namespace and name of an object. The namespace is empty for cluster-scoped ones. */
export interface ItemName {
  readonly namespace: string;
  readonly name: string;
}

export type NamespaceLabels = (namespace: string) => MaybePromise<ObjectMeta['labels']>;

/** The dependencies of the lifecycles of one served resource. */
export class ResourceContext {
  readonly definition: ResourceDefinition;
  readonly store: ObjectStore;
  readonly groupResource: GroupResource;
  readonly groupKind: GroupKind;
  readonly apiVersion: string;
  /** Whether the status has its own subresource. */
  readonly hasStatus: boolean;
  /** The events that all watchers of this resource share. */
  readonly watchEvents: SharedWatchEvents;
  /** Undefined without plugins. */
  readonly admission: AdmissionChain | undefined;
  /** Undefined for types without reservations. */
  readonly transactions: ObjectTransactions | undefined;
  readonly knownKind: FindKind;
  /** Whether any version of a resource, as `group/resource`, is served. */
  readonly isServed: (resource: string) => boolean;
  /** The labels of a namespace, by its name. */
  readonly namespaceLabels: NamespaceLabels;
  readonly clock: Clock;
  readonly identity: IdentitySource;
  /** Tracks the field managers of the objects. */
  readonly ownership: FieldOwnership;
  readonly #layout: StorageLayout;
  readonly #versions: () => readonly ResourceContext[];
  readonly #servedVersions: () => readonly ResourceContext[];
  readonly #root: string;
  /**
   * The offset of a list item in its document: documents start with kind and apiVersion, which items omit. Items of
   * custom types are whole documents.
   */
  readonly #itemStart: number;
  /** Parsed objects for readers that repeatedly ask for the same few. */
  readonly #shared = new WeakMap<StoredObject, ResourceObject>();
  readonly #alreadyRead: ((stored: StoredObject) => ResourceObject | undefined) | undefined;
  /** The lists that were read of the present state. */
  #lists: { readonly state: object; readonly byNamespace: Map<string, readonly ResourceObject[]> } | undefined;
  /** Undefined for types whose stored objects are all of one version. */
  readonly #served: ServedDocuments | undefined;
  readonly #conversions: PendingConversions | undefined;
  readonly #admissionTargets = new Map<string, AdmissionTarget>();
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
    /** Those of the served versions. */
    servedVersions?: () => readonly ResourceContext[];
    /** What another server has read of the same object. */
    alreadyRead?: ((stored: StoredObject) => ResourceObject | undefined) | undefined;
    clock?: Clock | undefined;
    identity?: IdentitySource | undefined;
  }) {
    this.definition = options.definition;
    this.store = options.store;
    this.admission = options.admission;
    this.transactions = options.transactions;
    this.knownKind = options.knownKind ?? (() => undefined);
    this.isServed = options.isServed ?? (() => false);
    this.namespaceLabels = options.namespaceLabels ?? (() => undefined);
    this.clock = options.clock ?? systemClock;
    this.identity = options.identity ?? randomIdentity;
    this.#alreadyRead = options.alreadyRead;
    this.#layout = options.layout;
    this.#versions = options.versions ?? (() => [this]);
    this.#servedVersions = options.servedVersions ?? this.#versions;
    this.watchEvents = new SharedWatchEvents((object, revision) => this.#documentAt(object, revision));
    const { group, version, kind, resource } = options.definition;
    this.hasStatus = options.definition.subresources.some(({ name }) => name === 'status');
    this.groupResource = { group, resource };
    // Errors name the group in which objects are stored, even if the request used another one.
    this.groupKind = { group: options.layout.group, kind };
    this.apiVersion = apiVersionOf({ group, version });
    this.#root = storageRoot(options.layout);
    this.ownership = new FieldOwnership({
      group,
      resource,
      // A custom type that is never used needs no schema.
      get schema() {
        return options.definition.schema;
      },
      apiVersion: this.apiVersion,
      hasStatus: this.hasStatus,
      clock: this.clock,
      toVersion: (object, apiVersion) => this.#toVersion(object as ResourceObject, apiVersion),
    });
    const isCustom = 'published' in options.definition;
    this.#itemStart = isCustom ? 0 : `{"kind":"${kind}","apiVersion":"${this.apiVersion}"`.length;
    const { converter } = options.layout;
    this.#conversions = converter && new PendingConversions(converter);
    this.#served =
      converter &&
      new ServedDocuments({
        apiVersion: this.apiVersion,
        converter,
        normalizeStored: (object) => this.#normalizeStored(object),
        prune: (object) => this.canonical(object),
        encode: documentOf,
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

  key(namespace: string, name: string): string {
    return this.prefix(namespace) + name;
  }

  /** The key prefix of a namespace, or of all namespaces when it is empty. */
  prefix(namespace: string): string {
    return namespace === '' ? this.#root : `${this.#root}${namespace}/`;
  }

  /** The key relative to the prefix of a namespace. */
  relativeKey(namespace: string, key: string): string {
    return key.slice(this.prefix(namespace).length);
  }

  /** The namespace and name of the object with this key. */
  itemName(key: string): ItemName {
    const [name = '', namespace = ''] = key.slice(this.#root.length).split('/').reverse();
    return { namespace, name };
  }

  /**
   * Changes one object like `ObjectStore.update`. The current object that `decide` gets is ready to be read, and so is
   * the resulting one. Turns errors of storage into a StatusError.
   */
  async update({ namespace, name }: ItemName, decide: Decide, options?: UpdateOptions): Promise<Outcome> {
    const key = this.key(namespace, name);
    try {
      if (this.#served === undefined) return await this.store.update(key, decide, options);
      return await this.#updateServed(key, { decide, options, served: this.#served });
    } catch (error) {
      throw writeFailure(error);
    }
  }

  async #updateServed(
    key: string,
    { decide, options, served }: { decide: Decide; options: UpdateOptions | undefined; served: ServedDocuments },
  ): Promise<Outcome> {
    const expected = (decision: Decision): Decision => {
      if (decision.action === 'put' && this.#isStoredVersion) served.expect(key, decision.value);
      return decision;
    };
    const decideReady: Decide = (current) =>
      mapMaybe(current && served.ready([current]), () => mapMaybe(decide(current), expected));
    try {
      const outcome = await this.store.update(key, decideReady, options);
      if (outcome.object !== undefined) await served.ready([outcome.object]);
      return outcome;
    } finally {
      served.forget(key);
    }
  }

  get #isStoredVersion(): boolean {
    return this.definition.version === this.#layout.version;
  }

  /**
   * Prepares stored objects for `read`, `shared` and `document`, which are synchronous, while conversions to the served
   * version may take a request to a webhook. Undefined when nothing has to be awaited.
   */
  ready(objects: readonly StoredObject[]): Promise<void> | undefined {
    return this.#served?.ready(objects);
  }

  /** Whether any stored object can be read without `ready`. */
  get readsAtOnce(): boolean {
    return this.#layout.converter?.isSynchronous ?? true;
  }

  /** Whether a stored value may be in a form or version in which it would not be written now. */
  get mayBeOutdated(): boolean {
    return this.store.mayBeStale === true || this.#layout.converter !== undefined;
  }

  /** Registers an open watch, to be ended when the type is withdrawn or changes its meaning. */
  watching(end: () => void, signal: AbortSignal): void {
    this.#watchEnds.add(end);
    signal.addEventListener('abort', () => this.#watchEnds.delete(end), { once: true });
  }

  endWatches(): void {
    for (const end of this.#watchEnds) end();
  }

  /** The decision to store an object of the served version. Members that the stored one has are not encoded again. */
  put(object: ResourceObject, stored?: ParsedDocument): MaybePromise<Decision> {
    const { converter, version, group } = this.#layout;
    if (converter === undefined || this.#isStoredVersion) {
      return { action: 'put', value: this.#encode(this.#toStored(object), stored) };
    }
    // A copy, because the object is used again when another writer is faster.
    const converted = converter.convert([structuredClone(object)], apiVersionOf({ group, version }));
    const storedContext = this.#versions().find(({ definition }) => definition.version === version);
    return mapMaybe(converted, ([stored]) => {
      return { action: 'put', value: this.#encode(storedContext?.canonical(stored!) ?? stored!) };
    });
  }

  /**
   * The object in the stored version. Conversions are about values alone. The canonical form makes the order of fields
   * and the fields that are always written those of the version, so that equal objects have equal bytes whatever the
   * version they were written in.
   */
  #toStored(object: ResourceObject): ResourceObject {
    const { conversion } = this.#layout;
    if (conversion === undefined) return object;
    const stored = conversion.toStored(object);
    return this.inVersion(apiVersionOf(this.#layout))?.canonical(stored) ?? stored;
  }

  #fromStored(stored: ResourceObject): ResourceObject {
    const { conversion } = this.#layout;
    return conversion === undefined ? stored : this.canonical(conversion.fromStored(stored));
  }

  /** Encodes an object of the stored version, without its resourceVersion. */
  #encode(stored: ResourceObject, before?: ParsedDocument): Buffer {
    const { metadata } = stored;
    const { resourceVersion } = metadata;
    // Restored below. Copying the object would cost more than encoding it.
    metadata.resourceVersion = undefined;
    try {
      return before === undefined ? utf8Bytes(encoded(stored)) : encodeChanged(stored, before);
    } finally {
      metadata.resourceVersion = resourceVersion;
    }
  }

  /** Normalizes an object that the server has changed, with fields in canonical order. */
  canonical(object: ResourceObject): ResourceObject {
    return this.compiled.normalize(object, new Findings(), { defaults: false });
  }

  /** By the schema of its version. Conversion refuses an object whose version the type does not have. */
  #normalizeStored(object: ResourceObject): ResourceObject {
    const version = this.inVersion(object.apiVersion ?? '');
    return version?.compiled.normalize(object, new Findings()) ?? object;
  }

  /** Returns a new copy in the served version. */
  read(stored: StoredObject): ResourceObject {
    if (this.#served !== undefined) return parseDocument(this.#served.document(stored));
    return this.#fromStored(stored.parse());
  }

  /** Like `read`, but the object is shared and must not be changed. */
  shared(stored: StoredObject): ResourceObject {
    const known = this.#shared.get(stored);
    if (known !== undefined) return known;
    const object = this.#alreadyRead?.(stored) ?? this.read(stored);
    this.#shared.set(stored, object);
    return object;
  }

  /** An object of this revision, shared like that of `shared`. Undefined if another one is present, or none is in memory. */
  sharedAt(key: string, revision: number): ResourceObject | undefined {
    if (this.#served !== undefined || this.store.state?.() === undefined) return undefined;
    const present = this.store.get(key, { atLeast: 0 });
    if (!(present instanceof Promise)) return present?.revision === revision ? this.shared(present) : undefined;
    // Of a storage that lags. Nobody waits for it.
    present.catch(() => {});
    return undefined;
  }

  /** All objects of a namespace in any state, as `list` reads them. Few lists change as often as they are read. */
  listed(namespace: string, list: () => MaybePromise<ResourceObject[]>): MaybePromise<readonly ResourceObject[]> {
    const state = this.store.state?.();
    if (state === undefined || this.#served !== undefined) return list();
    if (this.#lists?.state !== state) this.#lists = { state, byNamespace: new Map() };
    const { byNamespace } = this.#lists;
    const known = byNamespace.get(namespace);
    if (known !== undefined) return known;
    const objects = list();
    if (objects instanceof Promise || objects.length > maxListed) return objects;
    if (byNamespace.size === maxLists) byNamespace.clear();
    byNamespace.set(namespace, objects);
    return objects;
  }

  /** The JSON document that clients get, with a trailing line feed. */
  document(stored: StoredObject): Buffer {
    if (this.#served !== undefined) return this.#served.document(stored);
    return this.#layout.conversion === undefined ? stored.bytes : documentOf(this.read(stored));
  }

  /** Like `document`, with another resourceVersion. */
  #documentAt(stored: StoredObject, revision: number): Buffer {
    if (stored.revision === revision) return this.document(stored);
    if (this.#served === undefined || this.#served.isAsStored(stored)) {
      return this.document(stored.withRevision(revision));
    }
    const object = this.read(stored);
    object.metadata.resourceVersion = String(revision);
    return documentOf(object);
  }

  /** The items of a list in groups, each item preceded by a comma. */
  *items(runs: readonly ObjectRun[], allocate: Allocate): Generator<Buffer> {
    const itemStart = this.#itemStart;
    if (this.#layout.conversion !== undefined) {
      for (const run of runs) yield joinItems(this.#documentsOf(run), itemStart, allocate);
      return;
    }
    let size = 0;
    for (const { bytes } of runs) size += bytes;
    for (const run of runs) {
      if (this.#isAsStored(run)) yield run.items(itemStart, { allocate, keep: size <= maxKeptSize });
      else yield joinItems(this.#documentsOf(run), itemStart, allocate);
    }
  }

  #isAsStored({ objects }: ObjectRun): boolean {
    const served = this.#served;
    return served === undefined || objects.every((object) => served.isAsStored(object));
  }

  #documentsOf({ objects }: ObjectRun): Buffer[] {
    return objects.map((object) => this.document(object));
  }

  /** The documents of a list, in groups. */
  *documents(runs: readonly ObjectRun[]): Generator<DocumentGroup> {
    for (const run of runs) {
      const isStored = this.#layout.conversion === undefined && this.#isAsStored(run);
      yield { identity: isStored ? run.identity : undefined, documents: () => this.#documentsOf(run) };
    }
  }

  /** To be called when the type has other versions. Plugins remember what they know of an endpoint by its target. */
  versionsChanged(): void {
    this.#admissionTargets.clear();
  }

  /** Describes an endpoint to the admission plugins. The main resource has the empty name. */
  admissionTarget(subresource: string): AdmissionTarget {
    const known = this.#admissionTargets.get(subresource);
    if (known !== undefined) return known;
    const target = storedTarget(this.definition, subresource, {
      kind: this,
      targets: (name) => this.#versionsWith(name).map((version) => version.admissionTarget(name)),
      convert: (object, to) => this.#toTarget(object, to),
    });
    this.#admissionTargets.set(subresource, target);
    return target;
  }

  #versionsWith(subresource: string): readonly ResourceContext[] {
    const served = this.#servedVersions();
    if (subresource === '') return served;
    return served.filter(({ definition }) => definition.subresources.some(({ name }) => name === subresource));
  }

  #toTarget(object: ResourceObject, { resource }: AdmissionTarget): MaybePromise<ResourceObject> {
    const to = this.inVersion(apiVersionOf(resource));
    if (to === undefined || to === this) return structuredClone(object);
    return untilReady(() => to.canonical(this.#convert(structuredClone(object), { from: this, to })));
  }

  inVersion(apiVersion: string): ResourceContext | undefined {
    return this.#versions().find((version) => version.apiVersion === apiVersion);
  }

  /** Converts an object to another served version. Undefined when that version is not served. */
  #toVersion(object: ResourceObject, apiVersion: string) {
    const from = this.inVersion(object.apiVersion ?? this.apiVersion);
    const to = this.inVersion(apiVersion);
    if (from === undefined || to === undefined) return undefined;
    const copy = structuredClone(object);
    const converted = this.#convert(copy, { from, to });
    const findings = new Findings();
    const canonical = to.compiled.normalize(converted, findings, { defaults: false });
    const isPruned = this.#served !== undefined && findings.texts.length > 0;
    return { shape: to.ownership.shape, object: canonical as Record<string, unknown>, isPruned };
  }

  #convert(object: ResourceObject, { from, to }: { from: ResourceContext; to: ResourceContext }): ResourceObject {
    if (this.#conversions !== undefined) return this.#conversions.convert(object, to.apiVersion);
    const stored = from.#layout.conversion?.toStored(object) ?? object;
    return to.#layout.conversion?.fromStored(stored) ?? stored;
  }

  /** Like `document`, for an object that is not stored, or no longer. */
  documentOf(object: ResourceObject): Buffer {
    return documentOf(this.#fromStored(this.#toStored(object)));
  }
}

function documentOf(object: ResourceObject): Buffer {
  return utf8Bytes(`${encoded(object)}\n`);
}

/** Only a client can send an object that is too deeply nested to be encoded. */
function encoded(object: ResourceObject): string {
  try {
    return encodeObject(object);
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message, { cause: error }) : error;
  }
}

/** The key prefix of a type, with a trailing slash. The layout is the one that etcd tools know. */
export function storageRoot(layout: StorageLayout): string {
  return `/registry/${layout.keyPrefix}/`;
}
