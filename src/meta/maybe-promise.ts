/**
 * A value that may be available synchronously. Callers check for a promise before they await, so that hot paths stay
 * synchronous.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Applies `use` to the value: synchronously if it is available, otherwise when the promise resolves. */
export function mapMaybe<T, R>(maybe: MaybePromise<T>, map: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return maybe instanceof Promise ? maybe.then(map) : map(maybe);
}

/** Calls `end` when the promise is settled, like `finally`, which needs three more promises for it. */
export function whenSettled<T>(promise: Promise<T>, end: () => void): Promise<T> {
  return promise.then(
    (value) => {
      end();
      return value;
    },
    (error) => {
      end();
      throw error;
    },
  );
}
