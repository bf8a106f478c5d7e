import type { CorruptObject } from '../store/index.ts';
import type { Logger } from './options.ts';

/** The objects of which this server knows that they are stored and cannot be read. */
export class CorruptObjects {
  readonly #log: Logger;
  /** By the prefix of their type. */
  readonly #known = new Map<string, readonly CorruptObject[]>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** All of one type, as they are now. */
  update(prefix: string, objects: readonly CorruptObject[]): void {
    const before = this.#known.get(prefix) ?? [];
    for (const { key, revision, reason } of missingIn(before, objects)) {
      this.#log.error('stored object is corrupt', { key, revision, reason });
    }
    for (const { key } of missingIn(objects, before))
      this.#log.info('corrupt object has been replaced or removed', { key });
    if (objects.length === 0) this.#known.delete(prefix);
    else this.#known.set(prefix, objects);
  }

  /**
   * How many there are of which type; undefined for none. Without names: anybody may ask whether the server is healthy, and
   * the log has the keys.
   */
  summary(): string | undefined {
    const counts = Array.from(this.#known, ([prefix, objects]) => ({ type: typeOf(prefix), count: objects.length }));
    if (counts.length === 0) return undefined;
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const types = counts.map(({ type, count }) => `${type}: ${count}`).sort();
    return `${total} corrupt (${types.join(', ')}), see the log`;
  }
}

function missingIn(known: readonly CorruptObject[], objects: readonly CorruptObject[]): CorruptObject[] {
  const keys = new Set(known.map(({ key }) => key));
  return objects.filter(({ key }) => !keys.has(key));
}

/** `/registry/configmaps/` holds `configmaps`. */
function typeOf(prefix: string): string {
  return prefix.split('/').slice(2, -1).join('/');
}
