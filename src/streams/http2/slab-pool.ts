/** Buffers of a few sizes that are filled and sent repeatedly, instead of being allocated for every write. */

interface SizeClass {
  readonly size: number;
  /** The number of spare buffers that are kept. */
  readonly maxSpare: number;
  readonly spare: Buffer[];
}

const classes: readonly SizeClass[] = [
  { size: 4 * 1024, maxSpare: 512, spare: [] },
  { size: 32 * 1024, maxSpare: 64, spare: [] },
  // A batch of data with the headers of its frames.
  { size: 460 * 1024, maxSpare: 16, spare: [] },
];

export const maxSlabSize: number = classes.at(-1)!.size;

/** A buffer of at least this size, which is at most `maxSlabSize`. */
export function takeSlab(size: number): Buffer {
  for (const { size: offered, spare } of classes) {
    if (size <= offered) return spare.pop() ?? Buffer.allocUnsafeSlow(offered);
  }
  throw new RangeError(`a slab of ${size} bytes is too large`);
}

/** Returns a buffer that is no longer in use. */
export function returnSlab(slab: Buffer): void {
  for (const { size, spare, maxSpare } of classes) {
    if (slab.length === size && spare.length < maxSpare) spare.push(slab);
  }
}
