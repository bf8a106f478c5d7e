import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader, StoredType } from '../../meta/object-reader.ts';
import { TokenError } from '../token-authenticator.ts';

/** An object on which a token depends. */
export interface NeededObject {
  readonly type: StoredType;
  readonly namespace: string;
  readonly name: string;
  /** Why the token does not hold by the object as it is; undefined when it does. */
  readonly problem: (object: ResourceObject | undefined) => string | undefined;
}

/** The objects on which one token depends, and how they were when they were last looked at. */
export class LiveObjects {
  readonly #reader: Pick<ObjectReader, 'get'>;
  readonly #needed: readonly NeededObject[];
  readonly #seen: (ResourceObject | undefined)[] = [];

  constructor(reader: Pick<ObjectReader, 'get'>, needed: readonly NeededObject[]) {
    this.#reader = reader;
    this.#needed = needed;
  }

  /** Throws, or rejects with, a TokenError for the first object by which the token does not hold. */
  check(first = 0): MaybePromise<void> {
    for (let index = first; index < this.#needed.length; index++) {
      const needed = this.#needed[index]!;
      const found = this.#reader.get(needed.type, needed);
      if (found instanceof Promise) {
        return found.then((object) => {
          this.#look(index, object);
          return this.check(index + 1);
        });
      }
      this.#look(index, found);
    }
  }

  /** Whether all of that still is so. Most objects have not changed, which is seen at a glance. */
  areStillGood(): boolean {
    return this.#needed.every((needed, index) => {
      const found = this.#reader.get(needed.type, needed);
      if (found instanceof Promise || found === undefined) return false;
      // What is being deleted becomes a problem as time passes.
      if (found === this.#seen[index] && found.metadata.deletionTimestamp === undefined) return true;
      if (needed.problem(found) !== undefined) return false;
      this.#seen[index] = found;
      return true;
    });
  }

  #look(index: number, object: ResourceObject | undefined): void {
    const problem = this.#needed[index]!.problem(object);
    if (problem !== undefined) throw new TokenError(problem);
    this.#seen[index] = object;
  }
}
