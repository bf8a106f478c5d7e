import { type ApiObject, keyOf, sameObject, versionOf } from './api-object.ts';
import type { History } from './history.ts';
import type { ResourceType } from './selection.ts';
import { Violation } from './violation.ts';

/**
 * Records the responses to writes. It uses no watch, so it shows which changes the watch of the whole type has missed.
 */
export class Journal {
  readonly #written = new Map<ResourceType, Map<number, ApiObject>>([
    ['configmaps', new Map()],
    ['pods', new Map()],
  ]);
  readonly #deleted = new Set<string>();
  /**
   * Keys of objects that a collection delete returned. It deletes by name: an object with one of these names may be
   * deleted, marked for deletion, or left alone because another writer was faster.
   */
  readonly #swept = new Set<string>();
  #lost = 0;
  #lostSweeps = 0;

  wrote(type: ResourceType, object: ApiObject): void {
    this.#written.get(type)!.set(versionOf(object), object);
  }

  deleted(uid: string): void {
    this.#deleted.add(uid);
  }

  swept(type: ResourceType, objects: readonly ApiObject[]): void {
    for (const object of objects) this.#swept.add(`${type} ${keyOf(object)}`);
  }

  /** Records a write without a response. */
  lost({ sweep = false } = {}): void {
    if (sweep) this.#lostSweeps++;
    else this.#lost++;
  }

  check(histories: ReadonlyMap<ResourceType, History>): void {
    const unknown: string[] = [];
    const gone = new Set<string>();
    for (const { changes } of histories.values()) {
      for (const { previous, object } of changes) if (object === undefined) gone.add(previous!.metadata.uid);
    }
    for (const [type, { changes }] of histories) {
      const written = this.#written.get(type)!;
      const byVersion = new Map(changes.map((change) => [change.version, change]));
      for (const [version, object] of written) {
        const found = byVersion.get(version)?.object;
        if (found === undefined) throw new Violation(`nobody was told of ${keyOf(object)} at ${version}`);
        if (!sameObject(found, object)) throw new Violation(`${keyOf(object)} at ${version} was told otherwise`);
      }
      for (const { version, key, previous, object } of changes) {
        const { uid, deletionTimestamp, finalizers } = (object ?? previous)!.metadata;
        const marked = deletionTimestamp !== undefined && previous?.metadata.deletionTimestamp === undefined;
        // One request first marks a pod and then deletes it.
        const going = marked && finalizers === undefined && gone.has(uid);
        const known = object === undefined ? this.#deleted.has(uid) : written.has(version) || going;
        const swept = (object === undefined || marked) && this.#swept.has(`${type} ${key}`);
        if (!known && !swept) unknown.push(`${key} at ${version}`);
      }
    }
    for (const uid of this.#deleted) if (!gone.has(uid)) throw new Violation(`nobody was told that ${uid} was deleted`);
    // A collection delete without a response may have made any number of changes.
    if (unknown.length > this.#lost && this.#lostSweeps === 0) {
      throw new Violation(`only ${this.#lost} answers were lost, but nobody has made ${unknown.join(', ')}`);
    }
  }
}
