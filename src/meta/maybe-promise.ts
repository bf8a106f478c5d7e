/** An answer that is there at once where it can be: the caller tests before it awaits, so that hot paths stay synchronous. */
export type MaybePromise<T> = T | Promise<T>;
