import type { Bench } from './bench.ts';

/** A benchmark. To add one, create a file in scenarios/ and add a line to scenarios/index.ts. */
export interface Scenario {
  /** Short name, for `--only`. */
  readonly name: string;
  run(bench: Bench): Promise<Measurement[]>;
}

/** One row of the result. */
export interface Measurement {
  readonly name: string;
  readonly title: string;
  readonly unit: 'requests/s' | 'events/s' | 'documents/s' | 'objects/s' | 'MB/s' | 'ms' | 'MB' | 'KB' | 'times' | '%';
  /** The server under test, in `unit`: the median of the rounds. */
  readonly ours: number;
  /**
   * The baseline, in `unit`: usually the bare server. For codecs it is the bare library, for other write methods the
   * PUT of the same run, and for authorization a server that allows everything. Undefined when nothing is comparable.
   */
  readonly bare?: number | undefined;
  /** Ours relative to the baseline: the median of the ratios per round, because adjacent turns share their noise. */
  readonly ratio?: number | undefined;
  /**
   * Like `ratio`, by CPU time per request, all threads together. Other processes on the machine disturb it far less.
   * However, it counts a second thread as cost, whereas `ratio` shows the gain from a second core.
   */
  readonly cpuRatio?: number | undefined;
  /** `ratio` and throughput should be high; times and sizes should be low. */
  readonly better: 'higher' | 'lower';
  readonly goal?: Figure | undefined;
  /** The result of kube-apiserver 1.36 with etcd 3.6 on a similar machine. */
  readonly peer?: Figure | undefined;
  /** Numbers that explain the row (latencies, sizes, spread). Only in the JSON output. */
  readonly detail: Readonly<Record<string, number>>;
}

/** A goal or a peer's result: relative to the baseline, which is comparable across machines, or in the row's unit. */
export type Figure = { readonly ratio: number } | { readonly absolute: number };

/** Returns undefined when there is no goal. */
export function isGoalMet({ goal, ratio, ours, better }: Measurement): boolean | undefined {
  if (goal === undefined) return undefined;
  const [reached, wanted] = 'ratio' in goal ? [ratio ?? Number.NaN, goal.ratio] : [ours, goal.absolute];
  return better === 'higher' ? reached >= wanted : reached <= wanted;
}
