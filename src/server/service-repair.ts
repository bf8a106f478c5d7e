import { type Client, pause } from '../client/index.ts';
import { type LeaseTimings, whileLeading } from '../controllers/index.ts';
import type { SharedServiceClaims } from '../service-addresses/index.ts';
import type { ResolvedOptions } from './options.ts';
import type { SharingTimings } from './sharing-timings.ts';

export interface RunningRepairOptions {
  readonly options: Pick<ResolvedOptions, 'log'>;
  readonly client: Client;
  readonly claims: SharedServiceClaims;
  /** Identifies this server in the lease. */
  readonly identity: string;
  readonly timings?: SharingTimings['repair'];
  readonly election?: Partial<LeaseTimings> | undefined;
  /** Whether no other server uses the store, only other threads of this one. */
  readonly isAlone?: boolean;
}

const defaultTimings = { everyMs: 60_000, graceMs: 60_000 };

/** Repairs the addresses and node ports of services. Only one of the servers that share a store does this at a time. */
export class RunningRepair {
  readonly #options: RunningRepairOptions;
  readonly #end = new AbortController();
  #done: Promise<void> | undefined;

  constructor(options: RunningRepairOptions) {
    this.#options = options;
  }

  start(): void {
    const { options, client, claims, identity, timings = defaultTimings, election = {}, isAlone } = this.#options;
    const report = (err: Error): void => options.log.error('repair of service addresses failed', { err });
    const work = async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        await claims.repair.round(timings.graceMs).catch(report);
        await pause(timings.everyMs, signal);
      }
    };
    if (isAlone) {
      this.#done = work(this.#end.signal);
      return;
    }
    const lease = { namespace: 'kube-system', name: 'keelson-service-repair', identity };
    this.#done = whileLeading({ client, ...lease, report, timings: election }, work, this.#end.signal);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }
}
