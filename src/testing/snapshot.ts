import { controllersManager } from '../controllers/index.ts';
import { expired } from '../meta/status-error.ts';
import type { ServerComponents } from '../server/index.ts';
import { type Change, MemoryStorage, type Storage, type StoredEntry } from '../storage/index.ts';
import { copyStore, readAll } from './store-copy.ts';

/** The stored state of a server. For a server in memory, taking it copies no objects. */
export interface Snapshot {
  readonly revision: number;
}

export interface RestoreOptions {
  /**
   * The effect on open watches: they get the differences as events (`events`, the default), or an ERROR event with the
   * reason Expired and their end (`expire`). After `expire`, older resource versions cannot be watched.
   */
  readonly watches?: 'events' | 'expire';
}

export class StoreSnapshot implements Snapshot {
  readonly store: Storage;
  readonly copy: MemoryStorage;
  readonly revision: number;

  private constructor(store: Storage, copy: MemoryStorage) {
    this.store = store;
    this.copy = copy;
    this.revision = copy.latestRevision();
  }

  static async take(store: Storage): Promise<StoreSnapshot> {
    return new StoreSnapshot(store, await copyStore(store));
  }

  /**
   * Undoes all changes since the snapshot, at new revisions. Concurrent writes may or may not be undone.
   */
  async restore(
    {
      store,
      watches,
      resources,
      controllers,
    }: Pick<ServerComponents, 'store' | 'watches' | 'resources' | 'controllers'>,
    { watches: watchHandling = 'events' }: RestoreOptions = {},
  ): Promise<void> {
    if (store !== this.store) throw new Error('the snapshot belongs to another server');
    let changes = await this.#changes();
    if (watchHandling === 'expire')
      watches.failAll(expired('the state of the server was restored'), { except: ownAgent });
    controllers.storeRestored();
    while (changes.length > 0) {
      // All changes are committed together, so that clients never see an object without its owner, or a definition
      // without its objects.
      await Promise.all(changes.map((change) => store.commit(change)));
      changes = await this.#changes();
    }
    if (watchHandling === 'expire') await store.compact(await store.latestRevision());
    resources.storeChanged();
  }

  /** The required writes, in an order that is valid for watchers. */
  async #changes(): Promise<Change[]> {
    const changed = this.store instanceof MemoryStorage ? this.store.changedSince(this.revision) : undefined;
    const keys = changed ?? (await this.#differingKeys());
    const changes: Change[] = [];
    for (const key of keys) {
      const [wanted, present] = await Promise.all([this.copy.get(key), this.store.get(key)]);
      if (isSame(wanted, present)) continue;
      changes.push({ key, expected: present?.modRevision ?? 0, value: wanted?.value });
    }
    return changes.sort((left, right) => rank(left) - rank(right));
  }

  async #differingKeys(): Promise<Set<string>> {
    const before = await readAll(this.copy);
    const keys = new Set<string>();
    for (const [key, entry] of await readAll(this.store)) {
      if (!isSame(before.get(key), entry)) keys.add(key);
      before.delete(key);
    }
    for (const key of before.keys()) keys.add(key);
    return keys;
  }
}

function isSame(left: StoredEntry | undefined, right: StoredEntry | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.modRevision === right.modRevision || left.value.equals(right.value);
}

/** The server's own controllers keep their watches: they would miss changes while they list again. */
const ownAgent = `${controllersManager}/`;

const containers = ['/registry/namespaces/', '/registry/apiextensions.k8s.io/customresourcedefinitions/'];

/** Namespaces and definitions are created before their contents, and deleted after them. */
function rank({ key, value }: Change): number {
  const isContainer = containers.some((prefix) => key.startsWith(prefix));
  if (value === undefined) return isContainer ? 3 : 2;
  return isContainer ? 0 : 1;
}
