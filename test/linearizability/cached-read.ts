import type { ObjectOutput } from './object-model.ts';

/** A read with a resourceVersion. It need not show the latest state, so it is not part of a linearizable history. */
export interface CachedRead {
  readonly client: string;
  /** The server and the number of its starts. Only reads from the same source have a defined order. */
  readonly source: string;
  readonly namespace: string;
  /** Undefined for a list. */
  readonly name: string | undefined;
  /** The lowest version that the result may have. */
  readonly atLeast: number;
  readonly output: ObjectOutput;
  readonly invoked: number;
  readonly returned: number;
}
