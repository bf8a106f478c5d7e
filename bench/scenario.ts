import type { Bench } from './bench.ts';

/** One thing that is measured. A new one is a file in scenarios/ and a line in scenarios/index.ts. */
export interface Scenario {
  /** Short, for `--only`. */
  readonly name: string;
  run(bench: Bench): Promise<Measurement[]>;
}

/** One row of the result. */
export interface Measurement {
  readonly name: string;
  readonly title: string;
  readonly unit: 'requests/s' | 'events/s' | 'documents/s' | 'ms' | 'MB' | 'KB' | 'times';
  /** The server under test, in `unit`; the median of the rounds. */
  readonly ours: number;
  /**
   * The bare server, in `unit`; for codecs the bare library, for other ways to write than PUT the PUT of the same run, for
   * permissions a server that asks for none.
   * Undefined where there is nothing comparable.
   */
  readonly bare?: number | undefined;
  /** Ours in units of the bare server: the median of the rounds' ratios, because two neighbours in time share their noise. */
  readonly ratio?: number | undefined;
  /**
   * The same by processor time per request, all threads together. Neighbours on the machine disturb it far less; but it
   * counts a second thread as cost, where `ratio` shows what a second core makes of it.
   */
  readonly cpuRatio?: number | undefined;
  /** `ratio` and the throughputs should be high; times and sizes should be low. */
  readonly better: 'higher' | 'lower';
  readonly goal?: Figure | undefined;
  /** kube-apiserver 1.36 with etcd 3.6 on such a machine. */
  readonly peer?: Figure | undefined;
  /** Numbers that explain the row (latencies, sizes, spread); only in the JSON output. */
  readonly detail: Readonly<Record<string, number>>;
}

/** A goal or a peer's figure is either in bare units, which hold across machines, or in the row's unit. */
export type Figure = { readonly ratio: number } | { readonly absolute: number };

/** Undefined when there is no goal. */
export function isGoalMet({ goal, ratio, ours, better }: Measurement): boolean | undefined {
  if (goal === undefined) return undefined;
  const [reached, wanted] = 'ratio' in goal ? [ratio ?? Number.NaN, goal.ratio] : [ours, goal.absolute];
  return better === 'higher' ? reached >= wanted : reached <= wanted;
}
