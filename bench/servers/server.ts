import type { Protocol, Target } from '../load/load-plan.ts';

/** A running server process, ours or the bare one. */
export interface Server {
  readonly pid: number;
  /** The time from the start of the process until it reported ready. */
  readonly startMs: number;
  target(protocol: Protocol): Target;
  stop(): Promise<void>;
}
