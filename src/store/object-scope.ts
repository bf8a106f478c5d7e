import type { CorruptObject } from './corrupt-object.ts';
import type { StoredObject } from './stored-object.ts';

/** Finds objects of a type by a derived value without a full scan. Indexes are compared by identity. */
export interface ObjectIndex {
  readonly name: string;
  valueOf(object: StoredObject): string;
}

/** The objects that a list or a watch covers. A narrower scope examines fewer objects; `matches` filters within it. */
export interface ObjectScope {
  readonly prefix: string;
  /** Limits the scope to the object with this key. */
  readonly key?: string;
  /** Limits the scope to the objects that have this index value. */
  readonly indexed?: IndexedValue;
  /** If undefined, everything in the scope matches. */
  readonly matches?: (object: StoredObject) => boolean;
}

export interface IndexedValue {
  readonly index: ObjectIndex;
  readonly value: string;
}

/** True when the scope is a plain prefix, so that it includes every object under it. */
export function isWholePrefix({ key, indexed, matches }: ObjectScope): boolean {
  return key === undefined && indexed === undefined && matches === undefined;
}

/** Whether the scope includes an object under its prefix. */
export function selects({ key, indexed, matches }: ObjectScope, object: StoredObject): boolean {
  if (key !== undefined && object.key !== key) return false;
  if (indexed !== undefined && indexed.index.valueOf(object) !== indexed.value) return false;
  return matches === undefined || matches(object);
}

/** Whether the scope may include a corrupt object. Only the key of the object can be tested. */
export function maySelect({ prefix, key, matches }: ObjectScope, object: CorruptObject): boolean {
  if (key !== undefined ? object.key !== key : !object.key.startsWith(prefix)) return false;
  if (matches === undefined) return true;
  try {
    return matches(new KeyOnly(object) as Pick<StoredObject, keyof KeyOnly> as StoredObject);
  } catch {
    return true;
  }
}

/** A placeholder for an object of which only the key is known. Access to its content throws. */
class KeyOnly {
  readonly key: string;
  readonly order: string;
  readonly revision: number;

  constructor({ key, order, revision }: CorruptObject) {
    this.key = key;
    this.order = order;
    this.revision = revision;
  }

  get labels(): never {
    throw new Error(unknown);
  }

  get bytes(): never {
    throw new Error(unknown);
  }

  values(): never {
    throw new Error(unknown);
  }

  parse(): never {
    throw new Error(unknown);
  }
}

const unknown = 'nothing but the key is known';
