/**
 * Memory for the bytes of many objects. A buffer for each would take several hundred bytes more, and the garbage
 * collector would have to visit all of them.
 *
 * Bytes are appended and never overwritten. A view of them, for example in a response that is being sent, keeps the
 * slab alive and stays valid.
 */
export class Slab {
  readonly memory: Buffer;
  /** The number of used bytes, from the beginning. */
  used = 0;
  /** The number of bytes of current objects. */
  live = 0;
  /** Whether its objects are being moved, so that it can be released. */
  isSparse = false;
  /** Whether its bytes are values of storage in memory that other threads share. They have no resource version. */
  readonly isShared: boolean;

  constructor(memory: Buffer, { isShared = false } = {}) {
    this.memory = memory;
    this.isShared = isShared;
  }

  /** Returns a slab that is completely used. */
  static full(memory: Buffer): Slab {
    const slab = new Slab(memory);
    slab.used = memory.length;
    return slab;
  }
}

/** Allocates memory for the bytes of objects. */
export interface ObjectMemory {
  /** Returns a slab. The last `size` used bytes belong to the caller, who writes them once. */
  take(size: number): Slab;
  /**
   * Returns the slab for memory that other threads share and that contains an object of this size. Absent if objects
   * are copied.
   */
  refer?(memory: ArrayBufferLike, size: number): Slab;
}

/**
 * Creates a slab for each object, for objects that are not kept long. It does not use Node's buffer pool, because an
 * object would keep a whole block of it alive.
 */
export const ownMemory: ObjectMemory = {
  take: (size) => Slab.full(Buffer.allocUnsafeSlow(size)),
};
