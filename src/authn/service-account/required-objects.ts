import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader, StoredType } from '../../meta/object-reader.ts';
import { TokenError } from '../token-authenticator.ts';

/** An object that a token depends on. */
export interface RequiredObject {
  readonly type: StoredType;
  readonly namespace: string;
  readonly name: string;
  /** Returns why the object invalidates the token, or undefined when it does not. */
  readonly problem: (object: ResourceObject | undefined) => string | undefined;
}

/** The objects that a token depends on, as last read. */
export class RequiredObjects {
  readonly #reader: Pick<ObjectReader, 'get'>;
  readonly #required: readonly RequiredObject[];
  readonly #lastRead: (ResourceObject | undefined)[] = [];

  constructor(reader: Pick<ObjectReader, 'get'>, needed: readonly RequiredObject[]) {
    this.#reader = reader;
    this.#required = needed;
  }

  /** Throws, or rejects with, a TokenError for the first object that invalidates the token. */
  check(first = 0): MaybePromise<void> {
    for (let index = first; index < this.#required.length; index++) {
      const needed = this.#required[index]!;
      const found = this.#reader.get(needed.type, needed);
      if (found instanceof Promise) {
        return found.then((object) => {
          this.#verify(index, object);
          return this.check(index + 1);
        });
      }
      this.#verify(index, found);
    }
  }

  /**
   * Whether all objects still permit the token. Unchanged objects are recognized by their reference, which is cheap.
   */
  areStillValid(): boolean {
    return this.#required.every((needed, index) => {
      const found = this.#reader.get(needed.type, needed);
      if (found instanceof Promise || found === undefined) return false;
      // A deletion becomes effective as time passes, without a change of the object.
      if (found === this.#lastRead[index] && found.metadata.deletionTimestamp === undefined) return true;
      if (needed.problem(found) !== undefined) return false;
      this.#lastRead[index] = found;
      return true;
    });
  }

  #verify(index: number, object: ResourceObject | undefined): void {
    const problem = this.#required[index]!.problem(object);
    if (problem !== undefined) throw new TokenError(problem);
    this.#lastRead[index] = object;
  }
}
