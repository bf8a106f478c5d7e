/** An answer that is there at once where it can be: the caller tests before it awaits, so that hot paths stay synchronous. */
export type MaybePromise<T> = T | Promise<T>;

/** What `use` makes of the answer: at once when that is there, later otherwise. */
export function mapMaybe<T, R>(answer: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return answer instanceof Promise ? answer.then(use) : use(answer);
}
