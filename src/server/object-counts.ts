import type { GroupResource } from '../meta/group-version.ts';
import type { Meter } from '../meta/meter.ts';
import { prefixEnd, type Storage } from '../storage/index.ts';

interface CountedType extends GroupResource {
  readonly prefix: string;
  readonly store: { readonly size: number | undefined };
  /** Aborts when the type is removed. Undefined for a type that always exists. */
  readonly signal: AbortSignal | undefined;
}

interface Counted {
  readonly type: CountedType;
  /** The time at which the count was read from storage. */
  readAt: number;
}

/** The maximum age of the object count of a type without a cache. */
const maxAgeMs = 60_000;

/**
 * Reports the number of objects of each type, from the caches or else from storage. Of several threads, one that has the
 * type in its cache knows the current number.
 */
export class ObjectCounts {
  readonly #storage: Storage;
  readonly #types = new Set<Counted>();
  readonly #report: (type: GroupResource, read: { readonly count: number; readonly readAt: number }) => void;
  readonly #forget: (type: GroupResource) => void;

  constructor(meter: Meter, storage: Storage) {
    this.#storage = storage;
    const objects = meter.gauge({
      name: 'apiserver_resource_objects',
      help: 'Stored objects by type. -1 when storage could not be asked.',
      labels: ['group', 'resource'],
      together: 'latest',
    });
    const older = meter.gauge({
      name: 'apiserver_storage_objects',
      help: 'The same as apiserver_resource_objects, under its older name.',
      labels: ['resource'],
      together: 'latest',
    });
    this.#report = (type, { count, readAt }) => {
      const at = performance.timeOrigin + readAt;
      objects.of(type.group, type.resource).set(count, at);
      older.of(nameOf(type)).set(count, at);
    };
    this.#forget = (type) => {
      objects.remove(type.group, type.resource);
      older.remove(nameOf(type));
    };
    meter.beforeReading(() => this.#update());
  }

  add(type: CountedType): void {
    const counted = { type, readAt: Number.NEGATIVE_INFINITY };
    this.#types.add(counted);
    type.signal?.addEventListener('abort', () => {
      this.#types.delete(counted);
      this.#forget(type);
    });
  }

  async #update(): Promise<void> {
    const now = performance.now();
    await Promise.all(
      [...this.#types].map(async (counted) => {
        const { type } = counted;
        if (type.store.size !== undefined) return this.#report(type, { count: type.store.size, readAt: now });
        if (now < counted.readAt + maxAgeMs) return;
        counted.readAt = now;
        const count = await this.#countInStorage(type.prefix);
        if (type.signal?.aborted !== true) this.#report(type, { count, readAt: now });
      }),
    );
  }

  async #countInStorage(prefix: string): Promise<number> {
    try {
      const { count = -1 } = await this.#storage.range({
        start: prefix,
        end: prefixEnd(prefix),
        limit: 1,
        count: true,
      });
      return count;
    } catch {
      // The number is unknown. Health checks report the failure of storage.
      return -1;
    }
  }
}

function nameOf({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}
