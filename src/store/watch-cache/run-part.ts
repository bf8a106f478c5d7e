import { type ItemsOptions, itemSize, ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';

/** A slice of a run. Its encoded bytes are a slice of the run's bytes. */
export class RunPart extends ObjectRun {
  readonly #whole: ObjectRun;
  readonly #from: number;

  /** The objects of the run from index `from` (inclusive) to `to` (exclusive). */
  constructor(whole: ObjectRun, from: number, to: number) {
    super(whole.objects.slice(from, to));
    this.#whole = whole;
    this.#from = from;
  }

  override items(itemStart: number, options: ItemsOptions = {}): Buffer {
    if (options.keep === false) return super.items(itemStart, options);
    const size = (total: number, { bytes }: StoredObject): number => total + itemSize(bytes, itemStart);
    const start = this.#whole.objects.slice(0, this.#from).reduce(size, 0);
    return this.#whole.items(itemStart).subarray(start, this.objects.reduce(size, start));
  }

  override first(count: number): ObjectRun {
    return new RunPart(this.#whole, this.#from, this.#from + count);
  }
}
