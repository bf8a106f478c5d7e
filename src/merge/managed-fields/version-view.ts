import type { JsonObject } from '../json-object.ts';
import { type Comparison, compare } from './compare.ts';
import type { ManagedEntry } from './managed-entry.ts';
import { reconcileFields } from './reconcile-fields.ts';
import type { StructShape } from './shape.ts';

export interface VersionedObject {
  readonly shape: StructShape;
  readonly object: JsonObject;
}

/**
 * An object in a version of its kind; which one it is in, its `apiVersion` says. Undefined when the version that is asked
 * for is not known any more.
 */
export type ToVersion = (object: JsonObject, apiVersion: string) => VersionedObject | undefined;

interface ViewOptions {
  readonly shape: StructShape;
  /** The version of the objects that are given. */
  readonly apiVersion: string;
  /** Needed only where a kind has several versions. */
  readonly toVersion?: ToVersion | undefined;
}

/** Looks at objects in the versions in which entries name their fields. */
export class VersionView {
  readonly shape: StructShape;
  readonly apiVersion: string;
  readonly #toVersion: ToVersion | undefined;

  constructor({ shape, apiVersion, toVersion }: ViewOptions) {
    this.shape = shape;
    this.apiVersion = apiVersion;
    this.#toVersion = toVersion;
  }

  at(object: JsonObject, apiVersion: string): VersionedObject | undefined {
    const isThere = apiVersion === this.apiVersion && (object.apiVersion ?? apiVersion) === apiVersion;
    return isThere ? { shape: this.shape, object } : this.#toVersion?.(object, apiVersion);
  }

  /** The entry as the present type sees it, where its version is that of the objects. */
  reconcile(entry: ManagedEntry): ManagedEntry {
    if (entry.apiVersion !== this.apiVersion) return entry;
    const fields = reconcileFields(this.shape, entry.fields);
    return fields === entry.fields ? entry : { ...entry, fields };
  }

  /** What changed, as entries of a version name it. Undefined when the version is not known. */
  comparisons(before: JsonObject, after: JsonObject): (apiVersion: string) => Comparison | undefined {
    const known = new Map<string, Comparison | undefined>();
    return (apiVersion) => {
      if (known.has(apiVersion)) return known.get(apiVersion);
      const old = this.at(before, apiVersion);
      const fresh = this.at(after, apiVersion);
      const comparison = old && fresh && compare(old.shape, old.object, fresh.object);
      known.set(apiVersion, comparison);
      return comparison;
    };
  }
}
