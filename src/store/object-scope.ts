import type { CorruptObject } from './corrupt-object.ts';
import type { StoredObject } from './stored-object.ts';

/** By what the objects of a type can be found without looking at all of them. One index is one and the same object always. */
export interface ObjectIndex {
  readonly name: string;
  valueOf(object: StoredObject): string;
}

/** The objects that a list or a watch is about. The narrower it is, the fewer are looked at; `matches` decides within it. */
export interface ObjectScope {
  readonly prefix: string;
  /** Only the object of this key. */
  readonly key?: string;
  /** Only the objects for which the index has this value. */
  readonly indexed?: IndexedValue;
  /** Undefined: everything in the scope. */
  readonly matches?: (object: StoredObject) => boolean;
}

export interface IndexedValue {
  readonly index: ObjectIndex;
  readonly value: string;
}

/** True when the scope is nothing but a prefix, so that every object below it is asked for. */
export function isWholePrefix({ key, indexed, matches }: ObjectScope): boolean {
  return key === undefined && indexed === undefined && matches === undefined;
}

/** Whether an object below the scope's prefix is asked for. */
export function selects({ key, indexed, matches }: ObjectScope, object: StoredObject): boolean {
  if (key !== undefined && object.key !== key) return false;
  if (indexed !== undefined && indexed.index.valueOf(object) !== indexed.value) return false;
  return matches === undefined || matches(object);
}

/** Whether a corrupt object may be asked for: only its key can be tested. */
export function maySelect({ prefix, key, matches }: ObjectScope, object: CorruptObject): boolean {
  if (key !== undefined ? object.key !== key : !object.key.startsWith(prefix)) return false;
  if (matches === undefined) return true;
  try {
    return matches(new KeyOnly(object) as Pick<StoredObject, keyof KeyOnly> as StoredObject);
  } catch {
    return true;
  }
}

/** Stands for an object of which nothing but the key is known: whoever asks for more gets an error. */
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
