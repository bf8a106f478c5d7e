import { createRandom } from '../faults/random.ts';
import type { EtcdFault } from './etcd-faults.ts';
import type { EtcdServers } from './etcd-servers.ts';
import { type HistoryCounts, runHistory } from './run-history.ts';

export interface FaultRun extends HistoryCounts {
  /** The milliseconds that each server needed to serve again, for each time that the fault happened. */
  readonly served: readonly number[];
}

export interface FaultRunOptions {
  readonly seed: number;
  readonly subject: EtcdServers;
  readonly fault: EtcdFault;
  readonly times: number;
}

/** Runs a history during which a fault happens repeatedly. */
export async function runFault({ seed, subject, fault, times }: FaultRunOptions): Promise<FaultRun> {
  const random = createRandom(seed);
  const served: number[] = [];
  const during = async (progress: { pass(writes: number): Promise<void> }): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await progress.pass(30 + random(60));
      served.push(...(await fault({ subject, random })));
    }
  };
  const counts = await runHistory({ seed, subject, workers: 6, operations: 90 * times, informers: 6, during });
  return { ...counts, served };
}
