import type { Protocol, Target } from '../load/load-plan.ts';

/** A running server process, ours or the bare one. */
export interface Server {
  readonly pid: number;
  /** From the start of its process until it said that it is ready. */
  readonly startMs: number;
  target(protocol: Protocol): Target;
  stop(): Promise<void>;
}
