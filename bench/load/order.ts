import type { LoadPlan, LoadResult, Target } from './load-plan.ts';
import type { FanOutPlan, FanOutResult, WatchLatencyPlan, WatchLatencyResult, WatchPlan } from './watch-plans.ts';

/** The jobs of the load generator, each from a plan to a result. */
export interface Jobs {
  load(target: Target, plan: LoadPlan): Promise<LoadResult>;
  fanOut(target: Target, plan: FanOutPlan): Promise<FanOutResult>;
  watchLatency(target: Target, plan: WatchLatencyPlan): Promise<WatchLatencyResult>;
  /** The watches stay open until the load generator ends. Returns their number. */
  holdWatches(target: Target, plan: WatchPlan): Promise<number>;
}

export interface Order<Job extends keyof Jobs = keyof Jobs> {
  readonly job: Job;
  readonly target: Target;
  readonly plan: Parameters<Jobs[Job]>[1];
}

export type Reply = { readonly result: unknown } | { readonly error: string };
