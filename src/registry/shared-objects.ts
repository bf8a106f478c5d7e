import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { ObjectStore, StoredObject } from '../store/index.ts';
import type { ObjectCodec } from './object-codec.ts';
import type { ItemName, ObjectKeys } from './object-keys.ts';

/** The maximum number of cached lists of one state, and the maximum number of objects in each. */
const maxLists = 1024;
const maxListed = 64;

/** The state that this server has. If several servers share a store, it may be slightly outdated. */
const anyState = { atLeast: 0 };

export interface SharedObjectsOptions {
  readonly store: ObjectStore;
  readonly keys: ObjectKeys;
  readonly codec: ObjectCodec;
  /** Returns the object if another server in this process has already parsed it. */
  readonly findDecoded?: ((stored: StoredObject) => ResourceObject | undefined) | undefined;
}

/**
 * The objects of one version of a type for readers in this process, which repeatedly read the same few objects. They
 * are parsed once, shared, and must not be changed.
 */
export class SharedObjects {
  readonly #options: SharedObjectsOptions;
  readonly #parsed = new WeakMap<StoredObject, ResourceObject>();
  /** The cached lists of the current state. */
  #lists: { readonly state: object; readonly byNamespace: Map<string, readonly ResourceObject[]> } | undefined;
  /** The last name that was read, and its key. Many requests in a row read the same object. */
  #last = { namespace: '', name: '', key: '' };

  constructor(options: SharedObjectsOptions) {
    this.#options = options;
  }

  /** The object must be ready to be read. */
  of(stored: StoredObject): ResourceObject {
    const known = this.#parsed.get(stored);
    if (known !== undefined) return known;
    const { codec, findDecoded } = this.#options;
    const object = findDecoded?.(stored) ?? codec.read(stored);
    this.#parsed.set(stored, object);
    return object;
  }

  /** Returns the object at this revision. Undefined if it has another revision or is not in memory. */
  at(key: string, revision: number): ResourceObject | undefined {
    const { store, codec } = this.#options;
    if (codec.served !== undefined || store.state?.() === undefined) return undefined;
    const present = store.get(key, anyState);
    if (!(present instanceof Promise)) return present?.revision === revision ? this.of(present) : undefined;
    // Only a storage that lags returns a promise. Nobody waits for it, so its rejection must not be unhandled.
    present.catch(() => {});
    return undefined;
  }

  /** Returns the object in any state that this server has, if it exists. */
  get({ namespace, name }: ItemName): MaybePromise<ResourceObject | undefined> {
    const { store } = this.#options;
    const key = this.#keyOf(namespace, name);
    // Another server may have just created it.
    const found = mapMaybe(store.get(key, anyState), (object) => object ?? store.get(key));
    return mapMaybe(found, (object) => object && this.#whenReady(object));
  }

  #keyOf(namespace: string, name: string): string {
    const last = this.#last;
    if (namespace === last.namespace && name === last.name && last.key !== '') return last.key;
    const key = this.#options.keys.of(namespace, name);
    this.#last = { namespace, name, key };
    return key;
  }

  getCurrent({ namespace, name }: ItemName): MaybePromise<ResourceObject | undefined> {
    const { store, keys } = this.#options;
    return mapMaybe(store.get(keys.of(namespace, name)), (object) => object && this.#whenReady(object));
  }

  #whenReady(object: StoredObject): MaybePromise<ResourceObject> {
    const pending = this.#options.codec.ready([object]);
    return pending === undefined ? this.of(object) : pending.then(() => this.of(object));
  }

  /**
   * Returns all readable objects of a namespace in any state that this server has. The list is cached, because most
   * lists are read more often than they change.
   */
  list(namespace: string): MaybePromise<readonly ResourceObject[]> {
    const { store, codec } = this.#options;
    const state = store.state?.();
    if (state === undefined || codec.served !== undefined) return this.#read(namespace, 0);
    if (this.#lists?.state !== state) this.#lists = { state, byNamespace: new Map() };
    const { byNamespace } = this.#lists;
    const known = byNamespace.get(namespace);
    if (known !== undefined) return known;
    const objects = this.#read(namespace, 0);
    if (objects instanceof Promise || objects.length > maxListed) return objects;
    if (byNamespace.size === maxLists) byNamespace.clear();
    byNamespace.set(namespace, objects);
    return objects;
  }

  listCurrent(namespace: string): MaybePromise<readonly ResourceObject[]> {
    return this.#read(namespace, undefined);
  }

  #read(namespace: string, atLeast: number | undefined): MaybePromise<ResourceObject[]> {
    const { store, keys, codec } = this.#options;
    const found = store.list({ prefix: keys.prefix(namespace), limit: 0, skipCorrupt: true, atLeast });
    return mapMaybe(found, ({ runs }) => {
      const stored = runs.flatMap(({ objects }) => objects);
      const pending = codec.ready(stored);
      const read = (): ResourceObject[] => stored.map((object) => this.of(object));
      return pending === undefined ? read() : pending.then(read);
    });
  }
}
