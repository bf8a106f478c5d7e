import type { Action } from './naive-evaluator.ts';

/** A request and the actions that must all be allowed for it. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  /** A body that changes something if the request is allowed. */
  readonly body?: object;
  /** A body that causes a conflict if the request is allowed. Without it, only a dry run changes nothing. */
  readonly harmless?: object;
  readonly type?: string;
  readonly actions: readonly Action[];
}

export type Random = (limit: number) => number;
