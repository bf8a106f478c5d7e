import type { JsonObject } from '../../meta/json-object.ts';
import { type Comparison, compare } from './compare.ts';
import type { ManagedEntry } from './managed-entry.ts';
import { reconcileFields } from './reconcile-fields.ts';
import type { StructShape } from './shape.ts';

export interface VersionedObject {
  readonly shape: StructShape;
  readonly object: JsonObject;
  /** Whether the object had fields that the version does not declare. */
  readonly isPruned?: boolean;
}

/**
 * Converts an object from the version in its `apiVersion` to another version of its kind. Returns undefined when the
 * requested version no longer exists.
 */
export type ToVersion = (object: JsonObject, apiVersion: string) => VersionedObject | undefined;

interface ViewOptions {
  readonly shape: StructShape;
  /** The version of the objects passed in. */
  readonly apiVersion: string;
  /** Required only for kinds with several versions. */
  readonly toVersion?: ToVersion | undefined;
}

interface ObjectPair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Converts objects to the versions that entries use for their field names. */
export class VersionView {
  readonly shape: StructShape;
  readonly apiVersion: string;
  readonly #toVersion: ToVersion | undefined;
  #hasPruned = false;

  constructor({ shape, apiVersion, toVersion }: ViewOptions) {
    this.shape = shape;
    this.apiVersion = apiVersion;
    this.#toVersion = toVersion;
  }

  /** Whether an object in another version lacked fields that it has in its own. */
  get hasPruned(): boolean {
    return this.#hasPruned;
  }

  at(object: JsonObject, apiVersion: string): VersionedObject | undefined {
    const isThere = apiVersion === this.apiVersion && (object.apiVersion ?? apiVersion) === apiVersion;
    if (isThere) return { shape: this.shape, object };
    const converted = this.#toVersion?.(object, apiVersion);
    if (converted?.isPruned === true) this.#hasPruned = true;
    return converted;
  }

  /** Adapts an entry to the current schema when its version is that of the objects. */
  reconcile(entry: ManagedEntry): ManagedEntry {
    if (entry.apiVersion !== this.apiVersion) return entry;
    const fields = reconcileFields(this.shape, entry.fields);
    return fields === entry.fields ? entry : { ...entry, fields };
  }

  /** Returns the changes with the field names of a version, or undefined when the version is unknown. */
  compare({ before, after }: ObjectPair, apiVersion: string): Comparison | undefined {
    const old = this.at(before, apiVersion);
    const fresh = this.at(after, apiVersion);
    return old && fresh && compare(old.shape, old.object, fresh.object);
  }
}
