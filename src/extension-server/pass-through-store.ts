import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { methodNotSupported } from '../meta/status-error.ts';
import { Turn } from '../meta/turns.ts';
import { keyOrder } from '../storage/key-order.ts';
import { StorageError } from '../storage/storage.ts';
import { isWholePrefix, type ListResult, type ObjectWatch, StoredObject } from '../store/index.ts';
import { selectFrom } from '../store/list-objects.ts';
import { runsOf } from '../store/object-run.ts';
import type { ListOptions } from '../store/object-store.ts';
import { BackendStore } from './backend-store.ts';
import type { BackendObject, Listing } from './define-resource.ts';
import { currentRequest } from './request-scope.ts';

const noVersion = -1;

/** Calls the backend for every request, and keeps nothing. Versions are those of the backend, if it has any. */
export class PassThroughStore extends BackendStore {
  get(key: string): MaybePromise<StoredObject | undefined> {
    const { backend } = this;
    if (backend.get === undefined) return mapMaybe(this.#listed(key), ([found]) => found);
    return mapMaybe(backend.get(this.request(key)), (found) => this.#read(key, found));
  }

  #read(key: string, found: BackendObject | undefined): StoredObject | undefined {
    // Programs without types return null as well.
    if (found === undefined || found === null) return undefined;
    const object = this.#object(found);
    if (object.key !== key) throw this.codec.fault(`${object.key} for ${key}`);
    return object;
  }

  async #listed(key: string): Promise<StoredObject[]> {
    const { namespace, user, signal } = this.request(key);
    const { objects } = await this.#objects(await this.backend.list({ namespace, user, signal }));
    return objects.filter((object) => object.key === key);
  }

  async list(options: ListOptions): Promise<ListResult> {
    const { prefix, key, startAfter, revision: wanted } = options;
    const { objects, revision } = await this.#state(prefix, key);
    // A later page shows the current state, because the backend has no history.
    if (wanted !== undefined && startAfter === undefined && wanted !== revision) {
      throw new StorageError('RevisionCompacted', `revision ${wanted} is not available`);
    }
    const start = startAfter === undefined ? '' : keyOrder(startAfter);
    const from = objects.filter((object) => object.key.startsWith(prefix) && object.order > start);
    const page = await selectFrom(runsOf(from), options);
    if (page.continueAfter === undefined || !isWholePrefix(options)) return { revision, ...page };
    const end = keyOrder(page.continueAfter);
    return { revision, ...page, remaining: from.filter(({ order }) => order > end).length };
  }

  async #state(prefix: string, key: string | undefined): Promise<BackendState> {
    if (key !== undefined) {
      const object = await this.get(key);
      return { objects: object === undefined ? [] : [object], revision: noVersion };
    }
    const { user, signal } = currentRequest();
    return this.#objects(await this.backend.list({ namespace: this.codec.namespaceOf(prefix), user, signal }));
  }

  /** Returns the objects sorted by key. */
  async #objects(listing: Listing<BackendObject>): Promise<BackendState> {
    const { items, resourceVersion } = this.codec.listed(listing);
    const byKey = new Map<string, StoredObject>();
    const turn = new Turn();
    for (const item of items) {
      const object = this.#object(item);
      if (byKey.has(object.key)) throw this.codec.fault(`${object.key} twice`);
      byKey.set(object.key, object);
      if (turn.isOver) await turn.next();
    }
    const objects = [...byKey.values()].sort((a, b) => (a.order < b.order ? -1 : 1));
    return { objects, revision: resourceVersion === undefined ? noVersion : this.#number(resourceVersion) };
  }

  #object(object: BackendObject): StoredObject {
    const key = this.codec.keyOf(object);
    const { resourceVersion } = object.metadata;
    const revision = resourceVersion === undefined ? 0 : this.#number(resourceVersion);
    return StoredObject.fromDocument({ key, document: this.codec.document(object), revision });
  }

  #number(version: string): number {
    const number = Number(version);
    if (!/^[1-9]\d*$/.test(version) || !Number.isSafeInteger(number)) {
      throw this.codec.fault(`the resourceVersion ${JSON.stringify(version)}, which is not a decimal number`);
    }
    return number;
  }

  async watch(): Promise<ObjectWatch> {
    throw methodNotSupported(this.codec.groupResource, 'watch');
  }

  /** Returns the highest version, because every version that a client has seen has been reached. */
  revision(): number {
    return Number.MAX_SAFE_INTEGER;
  }

  oldestRevision(): number {
    return 0;
  }

  protected original(stored: StoredObject): BackendObject {
    return stored.parse();
  }

  protected reread(key: string): MaybePromise<StoredObject | undefined> {
    return this.get(key);
  }

  protected stored(_key: string, object: BackendObject): StoredObject {
    return this.#object(object);
  }

  protected deleted(last: StoredObject): StoredObject {
    return last;
  }
}

interface BackendState {
  readonly objects: StoredObject[];
  /** The revision of the whole list. */
  readonly revision: number;
}
