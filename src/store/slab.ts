/**
 * Memory for the bytes of many objects. A buffer for each would take several hundred bytes more, and the garbage
 * collector would have to visit all of them.
 *
 * Bytes are appended and never overwritten. A view of them, for example in a response that is being sent, keeps the
 * slab alive and stays valid.
 */
export class Slab {
  readonly memory: Buffer;
  /** The bytes that have been taken, from the beginning. */
  used = 0;
  /** The bytes of those that are current. */
  live = 0;
  /** Whether its objects are being moved, so that it can be released. */
  isSparse = false;
  /** Whether its bytes are values of storage in memory that other threads share. They have no resource version. */
  readonly isShared: boolean;

  constructor(memory: Buffer, { isShared = false } = {}) {
    this.memory = memory;
    this.isShared = isShared;
  }

  /** A slab that has no room for others. */
  static full(memory: Buffer): Slab {
    const slab = new Slab(memory);
    slab.used = memory.length;
    return slab;
  }
}

/** Where the bytes of objects are put. */
export interface ObjectMemory {
  /** The last `size` bytes in use of the returned slab belong to the caller, who writes them once. */
  take(size: number): Slab;
  /** The slab for the memory that other threads share, where an object of this size is. Absent: objects are copied. */
  refer?(memory: ArrayBufferLike, size: number): Slab;
}

/**
 * A slab for each object, for objects that are not kept long. Not from the pool: an object would keep a whole block of
 * it alive.
 */
export const ownMemory: ObjectMemory = {
  take: (size) => Slab.full(Buffer.allocUnsafeSlow(size)),
};
