import { type GroupResource, qualifiedResource } from '../meta/group-version.ts';
import type { Logger } from '../meta/logger.ts';
import type { Counter, Family, Meter } from '../meta/meter.ts';
import { StorageError } from '../storage/index.ts';
import type { CorruptObject } from '../store/index.ts';

/** The keys of all unreadable objects of a type, without its prefix. For a cluster-scoped type these are the names. */
type CorruptListener = (names: ReadonlySet<string>) => void;

/** What this server has found damaged: stored objects that it could not read, and the history of the store. */
export class CorruptObjects {
  readonly #log: Logger;
  readonly #found: Family<Counter, readonly ['group', 'resource']>;
  readonly #damages: Counter;
  /** The message of the damage to the history that was found last. */
  #damage: string | undefined;
  /** Keyed by the storage prefix of the type. */
  readonly #known = new Map<string, readonly CorruptObject[]>();
  /** Keyed by type. */
  readonly #listeners = new Map<string, CorruptListener>();

  constructor(log: Logger, meter: Meter) {
    this.#log = log;
    this.#found = meter.counter({
      name: 'apiserver_storage_decode_errors_total',
      help: 'Stored objects that were found to be unreadable.',
      labels: ['group', 'resource'],
      together: 'most',
    });
    this.#damages = meter
      .counter({
        name: 'keelson_storage_damage_total',
        help: 'Damage to the history of the embedded store that was found.',
        labels: [],
      })
      .of();
  }

  /** Reports that history could not be removed. Damage of the store is remembered until the end of the process. */
  compactionFailed(err: unknown): void {
    this.#log.error('compaction failed', { err });
    if (!(err instanceof StorageError) || err.code !== 'Corrupt' || err.message === this.#damage) return;
    this.#damage = err.message;
    this.#damages.add();
  }

  /** The listener of the type is called after each change. A type has at most one. */
  onChange(type: GroupResource, listener: CorruptListener): void {
    this.#listeners.set(qualifiedResource(type), listener);
  }

  /** Replaces the unreadable objects of one type, and logs the difference. */
  update({ prefix, type }: { prefix: string; type: GroupResource }, objects: readonly CorruptObject[]): void {
    const before = this.#known.get(prefix) ?? [];
    for (const { key, revision, reason } of missingIn(before, objects)) {
      this.#log.error('stored object is corrupt', { key, revision, reason });
      this.#found.of(type.group, type.resource).add();
    }
    for (const { key } of missingIn(objects, before))
      this.#log.info('corrupt object has been replaced or removed', { key });
    if (objects.length === 0) this.#known.delete(prefix);
    else this.#known.set(prefix, objects);
    this.#listeners.get(qualifiedResource(type))?.(new Set(objects.map(({ key }) => key.slice(prefix.length))));
  }

  /**
   * The number of objects per type, and whether the history is damaged; undefined when nothing is. Contains no names,
   * because every user may read the health endpoints. The keys are in the log.
   */
  summary(): string | undefined {
    const parts = [this.#objectSummary(), this.#damage && 'the history of the store is damaged'];
    const known = parts.filter((part) => part !== undefined);
    return known.length === 0 ? undefined : `${known.join('; ')}, see the log`;
  }

  #objectSummary(): string | undefined {
    const counts = Array.from(this.#known, ([prefix, objects]) => ({ type: typeOf(prefix), count: objects.length }));
    if (counts.length === 0) return undefined;
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const types = counts.map(({ type, count }) => `${type}: ${count}`).sort();
    return `${total} corrupt (${types.join(', ')})`;
  }
}

function missingIn(known: readonly CorruptObject[], objects: readonly CorruptObject[]): CorruptObject[] {
  const keys = new Set(known.map(({ key }) => key));
  return objects.filter(({ key }) => !keys.has(key));
}

/** `/registry/configmaps/` becomes `configmaps`. */
function typeOf(prefix: string): string {
  return prefix.split('/').slice(2, -1).join('/');
}
