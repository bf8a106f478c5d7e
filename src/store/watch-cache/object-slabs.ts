import type { Steps } from '../../meta/turns.ts';
import { type ObjectMemory, Slab } from '../slab.ts';
import type { StoredObject } from '../stored-object.ts';

const minSlab = 8 * 1024;
const maxSlab = 1024 * 1024;
/** Slabs of types with few objects are small. */
const slabsPerType = 16;
/** Objects are moved only if at least this many bytes are free. */
const minFree = 64 * 1024;
/** Slabs with a smaller fraction of live bytes are released. */
const sparse = 3 / 4;
const objectsPerStep = 64;
const pastSlab = 64 * 1024;

/**
 * The slabs of one type. The bytes of objects that are no longer current are free, but only a whole slab can be
 * released, by the garbage collector. The objects in slabs with few live bytes are therefore moved from time to time:
 * all slabs together take up to half as much again as the current objects, and each byte is moved about twice.
 */
export class ObjectSlabs implements ObjectMemory {
  /** The slabs in memory that other threads share. */
  readonly #shared = new Map<ArrayBufferLike, Slab>();
  #sharedLive = 0;
  #current: Slab | undefined;
  readonly #slabs = new Set<Slab>();
  #capacity = 0;
  #live = 0;
  readonly #past = new PastSlabs();

  /** The bytes of all slabs, without those that are only kept alive by past states and readers. */
  get capacity(): number {
    return this.#capacity + this.#sharedLive;
  }

  refer(memory: ArrayBufferLike, size: number): Slab {
    let slab = this.#shared.get(memory);
    if (slab === undefined) {
      slab = new Slab(Buffer.from(memory), { isShared: true });
      this.#shared.set(memory, slab);
    }
    slab.live += size;
    this.#sharedLive += size;
    return slab;
  }

  /**
   * Called when the shared memory has no current objects. Returns whether any objects of this type are still in it;
   * these must be moved.
   */
  releaseShared(memory: ArrayBufferLike): boolean {
    const slab = this.#shared.get(memory);
    if (slab === undefined) return false;
    slab.isSparse = true;
    this.#shared.delete(memory);
    return true;
  }

  take(size: number): Slab {
    const current = this.#current;
    const fits = current !== undefined && current.memory.length - current.used >= size;
    const slab = fits ? current : this.#add(size);
    slab.used += size;
    slab.live += size;
    this.#live += size;
    return slab;
  }

  #add(size: number): Slab {
    const length = Math.min(Math.max(minSlab, 2 ** Math.ceil(Math.log2(this.#live / slabsPerType + 1))), maxSlab);
    // A large object would leave too much of the slab before it unused.
    const isOwn = size > length / 4;
    const slab = new Slab(Buffer.allocUnsafeSlow(isOwn ? size : length));
    this.#slabs.add(slab);
    this.#capacity += slab.memory.length;
    if (isOwn) return slab;
    const before = this.#current;
    this.#current = slab;
    if (before?.live === 0) this.#remove(before);
    return slab;
  }

  /** Called when an object in one of these slabs is no longer current. It can still be read. */
  release({ slab, size }: StoredObject): void {
    slab.live -= size;
    if (slab.isShared) {
      this.#sharedLive -= size;
      return;
    }
    this.#live -= size;
    if (slab.live === 0 && slab !== this.#current) this.#remove(slab);
  }

  #remove(slab: Slab): void {
    if (this.#slabs.delete(slab)) this.#capacity -= slab.memory.length;
  }

  get isWasteful(): boolean {
    return this.#capacity - this.#live > minFree + this.#live / 2;
  }

  /**
   * Moves objects, so that slabs with few live bytes are no longer needed. `current` are all current objects, `past`
   * those of past states that are still kept, from the oldest on. Objects may be added and released
   * meanwhile.
   */
  *compact({ current, past }: { current: Iterable<StoredObject>; past: Iterable<StoredObject> }): Steps<void> {
    for (const slab of this.#slabs) {
      if (slab !== this.#current && slab.live < slab.memory.length * sparse) slab.isSparse = true;
    }
    let visited = 0;
    for (const object of current) {
      if (++visited % objectsPerStep === 0) yield;
      if (!object.slab.isSparse) continue;
      this.release(object);
      object.moveTo(this);
    }
    for (const object of past) {
      if (++visited % objectsPerStep === 0) yield;
      if (object.slab.isSparse) object.moveTo(this.#past);
    }
  }
}

/**
 * The slabs of past states. Past states are dropped in the order in which they are moved here, so each slab is released
 * as a whole.
 */
class PastSlabs implements ObjectMemory {
  #current = Slab.full(Buffer.alloc(0));

  take(size: number): Slab {
    // A separate buffer for each object would fragment the memory of the process.
    if (size > pastSlab / 4) return Slab.full(Buffer.allocUnsafeSlow(size));
    if (this.#current.memory.length - this.#current.used < size) {
      this.#current = new Slab(Buffer.allocUnsafeSlow(pastSlab));
    }
    this.#current.used += size;
    return this.#current;
  }
}
