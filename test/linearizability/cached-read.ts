import type { ObjectOutput } from './object-model.ts';

/** A read with a resourceVersion: it need not show the newest state, so that it is not part of a linearizable history. */
export interface CachedRead {
  readonly client: string;
  /** The server and how often it had been started. Only what one and the same has told can be put in an order. */
  readonly source: string;
  readonly namespace: string;
  /** Undefined: all of them. */
  readonly name: string | undefined;
  /** The version that it must not be older than. */
  readonly atLeast: number;
  readonly output: ObjectOutput;
  readonly invoked: number;
  readonly returned: number;
}
