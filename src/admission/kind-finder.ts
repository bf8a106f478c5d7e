import type { StoredType } from '../meta/object-reader.ts';
import type { GroupVersionKind } from './admission-request.ts';

/** A kind whose objects are served. */
export interface ServedKind {
  /** Undefined when the objects are not stored. */
  readonly storedType: StoredType | undefined;
  readonly namespaced: boolean;
}

/** Finds the served types of kinds. */
export interface KindFinder {
  /** Undefined when it does not exist now: types can be added and removed. */
  findKind(kind: GroupVersionKind): ServedKind | undefined;
}
