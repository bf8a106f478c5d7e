export interface WeightedCacheOptions {
  readonly maxSize: number;
  /** The maximum sum of the weights. */
  readonly maxWeight: number;
}

/** A cache for values of very different sizes, which clients choose. When it is full, it starts again. */
export class WeightedCache<V> {
  readonly #values = new Map<string, V>();
  readonly #maxSize: number;
  readonly #maxWeight: number;
  #weight = 0;

  constructor({ maxSize, maxWeight }: WeightedCacheOptions) {
    this.#maxSize = maxSize;
    this.#maxWeight = maxWeight;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** The key must be new. A value that exceeds the limit on its own is not stored. */
  set(key: string, value: V, weight: number): void {
    if (weight > this.#maxWeight) return;
    if (this.#values.size >= this.#maxSize || this.#weight + weight > this.#maxWeight) {
      this.#values.clear();
      this.#weight = 0;
    }
    this.#values.set(key, value);
    this.#weight += weight;
  }
}
