import type { ResourceObject } from '../meta/object.ts';
import type { StoredType } from '../meta/object-reader.ts';
import type { FollowOptions, ObjectSource } from './object-source.ts';

/**
 * The compiled form of all objects of a cluster-scoped type, as of now. A change is visible with the next request after
 * the write that made it.
 */
export class FollowedObjects<T> {
  readonly #type: StoredType;
  readonly #compile: (object: ResourceObject) => T;
  #current = new Map<string, T>();
  #sorted: readonly T[] | undefined = [];
  #generation = 1;

  /** `compile` must not depend on other objects. An object for which it throws is reported and skipped. */
  constructor(type: StoredType, compile: (object: ResourceObject) => T) {
    this.#type = type;
    this.#compile = compile;
  }

  /** Increases with every change, so that derived data can be cached for one generation. */
  get generation(): number {
    return this.#generation;
  }

  get(name: string): T | undefined {
    return this.#current.get(name);
  }

  /** In the order of the objects' names. */
  get values(): readonly T[] {
    this.#sorted ??= [...this.#current].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => value);
    return this.#sorted;
  }

  /** Resolves when all existing objects are loaded. */
  follow(source: ObjectSource, { onError, signal }: FollowOptions): Promise<void> {
    // The earlier state stays in force until the new one is complete: without it, everything would be admitted.
    let pending: Map<string, T> | undefined;
    return source.follow(this.#type, {
      onReset: () => {
        pending = new Map();
      },
      onPut: (object) => this.#change(pending, (state) => this.#put(state, object)),
      onRemove: ({ metadata }) => this.#change(pending, (state) => state.delete(metadata.name ?? '')),
      onSynced: () => {
        this.#current = pending ?? this.#current;
        pending = undefined;
        this.#changed();
      },
      onError,
      signal,
    });
  }

  #change(pending: Map<string, T> | undefined, change: (state: Map<string, T>) => void): void {
    if (pending === undefined) this.#changed();
    change(pending ?? this.#current);
  }

  #put(state: Map<string, T>, object: ResourceObject): void {
    const { name = '' } = object.metadata;
    // First removed, so that nothing outdated stays when the new object cannot be compiled.
    state.delete(name);
    state.set(name, this.#compile(object));
  }

  #changed(): void {
    this.#sorted = undefined;
    this.#generation++;
  }
}
