import type { Change, CommitResult } from '../storage/storage.ts';
import { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import type { Decide, Outcome, UpdateOptions } from './object-store.ts';
import type { StoreDependencies } from './store-dependencies.ts';
import { StoredObject } from './stored-object.ts';

/** The revision of an object that is not stored yet. */
const unknownRevision = Number.MAX_SAFE_INTEGER;

/**
 * Writes the objects of a type to storage. A decision is based on the cached object. If the stored object has changed,
 * storage rejects the write, and the decision is made again. If watches lag, a write waits until it is in the cache, so
 * that its client can read it there, and so that everything in this server that follows the type has applied it.
 */
export class ObjectUpdates {
  readonly #dependencies: StoreDependencies;

  constructor(dependencies: StoreDependencies) {
    this.#dependencies = dependencies;
  }

  async update(key: string, decide: Decide, options: UpdateOptions = {}): Promise<Outcome> {
    const { storage, cache, lag, storageReads } = this.#dependencies;
    const isRead = cache.filled === undefined && !options.expectAbsent;
    let current = isRead ? await storageReads.read(key) : this.#cached(key);
    // Whether another server may have changed the state since.
    let mayBeOld = storage.watchesLag && !isRead;
    for (;;) {
      let change: Change | undefined;
      let refusal: unknown;
      try {
        change = await this.#decided(key, current, { decide, ...options });
      } catch (error) {
        if (!mayBeOld) throw error;
        refusal = error;
      }
      if (change !== undefined) {
        const result = await this.#commit(change, options);
        if (result.committed) {
          const { revision } = result;
          if (storage.watchesLag && cache.filled !== undefined) await lag.reach(cache.filled, revision);
          return { object: this.#committed(change, { revision, previous: current }), changed: true };
        }
        current = await storageReads.objectOf(result.current);
      } else {
        const present = mayBeOld ? await storageReads.read(key) : current;
        if (present?.revision === current?.revision) {
          if (refusal !== undefined) throw refusal;
          return { object: current instanceof CorruptObject ? undefined : current, changed: false };
        }
        current = present;
      }
      mayBeOld = false;
    }
  }

  #commit(change: Change, { followUp }: UpdateOptions): Promise<CommitResult> {
    const { storage } = this.#dependencies;
    const { key, value, expected } = change;
    if (expected !== 0 || value === undefined || storage.commitTwice === undefined) return storage.commit(change);
    const next = followUp?.(StoredObject.fromValue({ key, value, revision: unknownRevision }));
    if (next === undefined) return storage.commit(change);
    return storage.commitTwice(change, next.value).then(
      ({ first, isReplaced }) => {
        next.settled(isReplaced ? 'stored' : 'not stored');
        return first;
      },
      (error) => {
        next.settled('not stored');
        throw error;
      },
    );
  }

  #cached(key: string): StoredObject | CorruptObject | undefined {
    const cache = this.#dependencies.cache.filled;
    return cache?.get(key) ?? cache?.corrupt(key);
  }

  /** The change to make; undefined if there is none. */
  async #decided(
    key: string,
    current: StoredObject | CorruptObject | undefined,
    { decide, onCorrupt }: UpdateOptions & { readonly decide: Decide },
  ): Promise<Change | undefined> {
    if (current instanceof CorruptObject) {
      const decision = onCorrupt?.(current);
      if (decision === undefined)
        throw new CorruptObjectError([current], { resource: this.#dependencies.resource, keyOrPrefix: key });
      return decision.action === 'keep' ? undefined : { key, expected: current.revision, value: undefined };
    }
    const decided = decide(current);
    const decision = decided instanceof Promise ? await decided : decided;
    if (decision.action === 'keep') return undefined;
    const { value = undefined, object = undefined } = decision.action === 'put' ? decision : {};
    if (value === undefined ? current === undefined : current?.isEncodedAs(value)) {
      if (current === undefined || !(await this.#isOutdated(current))) return undefined;
    }
    return { key, expected: current?.revision ?? 0, value, object };
  }

  /** Whether the stored value differs from the object, or is in a form that a write would replace. */
  async #isOutdated({ key, revision }: StoredObject): Promise<boolean> {
    const { storage } = this.#dependencies;
    if (!storage.mayBeStale) return false;
    const entry = await storage.get(key);
    return entry?.modRevision !== revision || entry.stale === true;
  }

  #committed(
    { key, value }: Change,
    { revision, previous }: { revision: number; previous: StoredObject | CorruptObject | undefined },
  ): StoredObject | undefined {
    if (previous instanceof CorruptObject) return undefined;
    if (value === undefined) return previous!.withRevision(revision);
    // The cache has already created the object from the event, unless a later commit has replaced it.
    const cached = this.#dependencies.cache.filled?.get(key);
    return cached?.revision === revision ? cached : StoredObject.fromValue({ key, value, revision });
  }
}
