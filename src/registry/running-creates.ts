import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Verbs } from './resource.ts';

/** The writes in flight that may create an object of a type. */
export class RunningCreates {
  readonly #running = new Set<Promise<unknown>>();

  /** The verbs with those counted that can create an object. */
  counted(verbs: Verbs): Verbs {
    const { create, update, apply } = verbs;
    return { ...verbs, create: this.#count(create), update: this.#count(update), apply: this.#count(apply) } as Verbs;
  }

  #count<Request, Result>(verb: ((request: Request) => MaybePromise<Result>) | undefined) {
    return (
      verb &&
      ((request: Request) => {
        const result = verb(request);
        if (result instanceof Promise) {
          this.#running.add(result);
          const ended = (): boolean => this.#running.delete(result);
          result.then(ended, ended);
        }
        return result;
      })
    );
  }

  /** Resolves when those have ended that have begun. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
