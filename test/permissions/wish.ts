import type { Action } from './naive-evaluator.ts';

/** A request, and what has to be allowed for it: all of it. */
export interface Wish {
  readonly method: string;
  readonly path: string;
  /** One that changes something, if it gets through. */
  readonly body?: object;
  /** One that is a conflict when it gets through. Without it, only a dry run changes nothing. */
  readonly harmless?: object;
  readonly type?: string;
  readonly actions: readonly Action[];
}

export type Random = (limit: number) => number;
