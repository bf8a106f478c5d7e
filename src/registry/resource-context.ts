import type { AdmissionChain, AdmissionTarget } from '../admission/index.ts';
import { encodeJson } from '../codec/json/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { apiVersionOf, type GroupKind, type GroupResource } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest } from '../meta/status-error.ts';
import { type CompiledKind, compileKind, Findings } from '../schema/normalize/index.ts';
import {
  type Decide,
  joinItems,
  type ObjectRun,
  type ObjectStore,
  type Outcome,
  type Room,
  type StoredObject,
  type UpdateOptions,
} from '../store/index.ts';
import { admissionTarget } from './admit-write.ts';
import type { KindTest } from './decodable-kind.ts';
import { FieldOwnership } from './field-ownership.ts';
import type { ObjectTransactions } from './object-transactions.ts';
import type { ResourceDefinition, StorageLayout } from './resource-definition.ts';
import { writeFailure } from './storage-failure.ts';
import { SharedWatchEvents } from './watch-event.ts';

/** A list larger than this would only drive everything else out of what is kept, and itself before its next reader comes. */
const largestKept = 32 * 1024 * 1024;

/** Where an object is found; the namespace is empty for cluster-scoped ones. */
export interface ItemName {
  readonly namespace: string;
  readonly name: string;
}

/** What the lifecycles of one served resource work with. */
export class ResourceContext {
  readonly definition: ResourceDefinition;
  readonly store: ObjectStore;
  readonly groupResource: GroupResource;
  readonly groupKind: GroupKind;
  readonly apiVersion: string;
  /** The status is written through a subresource of its own. */
  readonly hasStatus: boolean;
  /** The events as they are shown to all watchers of this resource. */
  readonly watchEvents: SharedWatchEvents;
  /** Undefined where there are no plugins. */
  readonly admission: AdmissionChain | undefined;
  /** How the resource itself is named to them. */
  readonly admissionTarget: AdmissionTarget;
  /** Undefined for the many types that take nothing elsewhere. */
  readonly transactions: ObjectTransactions | undefined;
  readonly isKind: KindTest;
  /** Whether any version of a resource, as `group/resource`, is served. */
  readonly isServed: (resource: string) => boolean;
  /** Who owns the fields of the objects. */
  readonly ownership: FieldOwnership;
  readonly #layout: StorageLayout;
  readonly #root: string;
  /** Where an item of a list begins: the documents start with their kind and apiVersion, which items do not repeat. */
  readonly #itemStart: number;
  /** What has been parsed for those who ask about the same few objects again and again. */
  readonly #shared = new WeakMap<StoredObject, ResourceObject>();
  #compiled: CompiledKind | undefined;
  #blank: ResourceObject | undefined;

  constructor(options: {
    definition: ResourceDefinition;
    layout: StorageLayout;
    store: ObjectStore;
    admission?: AdmissionChain | undefined;
    transactions?: ObjectTransactions | undefined;
    isKind?: KindTest | undefined;
    isServed?: ((resource: string) => boolean) | undefined;
    /** The contexts of all served versions of the type, this one too. Asked for when one of them is needed. */
    versions?: () => readonly ResourceContext[];
  }) {
    this.definition = options.definition;
    this.store = options.store;
    this.admission = options.admission;
    this.admissionTarget = admissionTarget(options.definition);
    this.transactions = options.transactions;
    this.isKind = options.isKind ?? (() => false);
    this.isServed = options.isServed ?? (() => false);
    this.#layout = options.layout;
    this.watchEvents = new SharedWatchEvents((object) => this.document(object));
    const { group, version, kind, resource } = options.definition;
    this.hasStatus = options.definition.subresources.some(({ name }) => name === 'status');
    this.groupResource = { group, resource };
    // Errors name the group in which objects are stored, whichever they were sent to.
    this.groupKind = { group: options.layout.group, kind };
    this.apiVersion = apiVersionOf({ group, version });
    this.#root = storageRoot(options.layout);
    this.ownership = new FieldOwnership({
      group,
      resource,
      schema: options.definition.schema,
      apiVersion: this.apiVersion,
      hasStatus: this.hasStatus,
      toVersion: (object, apiVersion) =>
        this.#toVersion(options.versions?.() ?? [], object as ResourceObject, apiVersion),
    });
    this.#itemStart = `{"kind":"${kind}","apiVersion":"${this.apiVersion}"`.length;
  }

  /** Made on first use: most of the types that a server offers are never touched. */
  get compiled(): CompiledKind {
    const { schema, kind } = this.definition;
    this.#compiled ??= compileKind({ schema, kind, apiVersion: this.apiVersion });
    return this.#compiled;
  }

  /** The status that a new object has; undefined when the type has none. Shared: it must not be changed. */
  get blankStatus(): unknown {
    this.#blank ??= this.compiled.normalize({}, new Findings());
    return this.#blank.status;
  }

  key(namespace: string, name: string): string {
    return this.prefix(namespace) + name;
  }

  /** The prefix of all keys in the namespace, or of all keys when it is empty. */
  prefix(namespace: string): string {
    return namespace === '' ? this.#root : `${this.#root}${namespace}/`;
  }

  /** The part of a key behind the prefix of a namespace. */
  relativeKey(namespace: string, key: string): string {
    return key.slice(this.prefix(namespace).length);
  }

  /** The name of the object with this key. */
  itemName(key: string): ItemName {
    const [name = '', namespace = ''] = key.slice(this.#root.length).split('/').reverse();
    return { namespace, name };
  }

  /** Changes one object as `ObjectStore.update` does. What storage refuses is told as a StatusError. */
  async update({ namespace, name }: ItemName, decide: Decide, options?: UpdateOptions): Promise<Outcome> {
    try {
      return await this.store.update(this.key(namespace, name), decide, options);
    } catch (error) {
      throw writeFailure(error);
    }
  }

  /** The bytes to store for an object of the served version. Its resourceVersion is left out. */
  encode(object: ResourceObject): Buffer {
    const stored = this.#layout.conversion?.toStored(object) ?? object;
    const { metadata } = stored;
    const { resourceVersion } = metadata;
    // Put back afterwards, because to copy the object would cost more than to encode it.
    metadata.resourceVersion = undefined;
    try {
      return Buffer.from(encoded(stored));
    } finally {
      metadata.resourceVersion = resourceVersion;
    }
  }

  /** An object that the server itself has changed, with every field in its place again. */
  canonical(object: ResourceObject): ResourceObject {
    return this.compiled.normalize(object, new Findings(), { defaults: false });
  }

  /** A fresh copy in the served version. */
  read(stored: StoredObject): ResourceObject {
    const object = stored.parse();
    return this.#layout.conversion?.fromStored(object) ?? object;
  }

  /** The same for many who only look at it: it must not be changed. */
  shared(stored: StoredObject): ResourceObject {
    const known = this.#shared.get(stored);
    if (known !== undefined) return known;
    const object = this.read(stored);
    this.#shared.set(stored, object);
    return object;
  }

  /** The document that a client gets, with a line feed at its end. */
  document(stored: StoredObject): Buffer {
    return this.#layout.conversion === undefined ? stored.bytes : documentOf(this.read(stored));
  }

  /** The items of a list, in groups, each item with a comma before it. */
  *items(runs: readonly ObjectRun[], room: Room): Generator<Buffer> {
    const itemStart = this.#itemStart;
    if (this.#layout.conversion !== undefined) {
      for (const documents of this.documents(runs)) yield joinItems(documents, itemStart, room);
      return;
    }
    let size = 0;
    for (const { bytes } of runs) size += bytes;
    for (const run of runs) yield run.items(itemStart, { room, keep: size <= largestKept });
  }

  /** The documents of a list, in groups. */
  *documents(runs: readonly ObjectRun[]): Generator<Buffer[]> {
    for (const { objects } of runs) yield objects.map((object) => this.document(object));
  }

  /** An object of one served version in another one; undefined when that is not served. */
  #toVersion(versions: readonly ResourceContext[], object: ResourceObject, apiVersion: string) {
    const from = versions.find((version) => version.apiVersion === (object.apiVersion ?? this.apiVersion));
    const to = versions.find((version) => version.apiVersion === apiVersion);
    if (from === undefined || to === undefined) return undefined;
    const copy = structuredClone(object);
    const stored = from.#layout.conversion?.toStored(copy) ?? copy;
    const converted = to.#layout.conversion?.fromStored(stored) ?? stored;
    return { shape: to.ownership.shape, object: to.canonical(converted) as Record<string, unknown> };
  }

  /** The same for an object that is not stored, or not any more: as it would be read. */
  documentOf(object: ResourceObject): Buffer {
    const { conversion } = this.#layout;
    return documentOf(conversion === undefined ? object : conversion.fromStored(conversion.toStored(object)));
  }
}

function documentOf(object: ResourceObject): Buffer {
  return Buffer.from(`${encoded(object)}\n`);
}

/** An object that is nested too deep to be written came from a client. */
function encoded(object: ResourceObject): string {
  try {
    return encodeJson(object);
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message, { cause: error }) : error;
  }
}

/** Ends with a slash. The layout is the one that tools for etcd know. */
export function storageRoot(layout: StorageLayout): string {
  return `/registry/${layout.keyPrefix}/`;
}
