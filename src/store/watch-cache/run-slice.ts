import { type ItemsOptions, itemSize, ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';

/** A slice of a run. Its encoded bytes are a slice of the run's bytes. */
export class RunSlice extends ObjectRun {
  readonly #run: ObjectRun;
  readonly #from: number;

  /** The objects of the run from index `from` (inclusive) to `to` (exclusive). */
  constructor(run: ObjectRun, from: number, to: number) {
    super(run.objects.slice(from, to));
    this.#run = run;
    this.#from = from;
  }

  override items(itemStart: number, options: ItemsOptions = {}): Buffer {
    if (options.keep === false) return super.items(itemStart, options);
    const size = (total: number, object: StoredObject): number => total + itemSize(object, itemStart);
    const start = this.#run.objects.slice(0, this.#from).reduce(size, 0);
    return this.#run.items(itemStart).subarray(start, this.objects.reduce(size, start));
  }

  override first(count: number): ObjectRun {
    return new RunSlice(this.#run, this.#from, this.#from + count);
  }
}
