import type { TxnRequest, TxnResponse } from './messages.ts';

/** The key through which servers agree on compactions. kube-apiserver uses the same key, outside its prefix. */
const recordKey = 'compact_rev_key';

export interface EtcdCompactorOptions {
  readonly txn: (request: TxnRequest) => Promise<TxnResponse>;
  readonly compact: (revision: number) => Promise<void>;
  /** Called when another server has compacted to this revision. */
  readonly onCompacted: (revision: number) => void;
}

/**
 * Removes old history for all servers of a cluster: in each interval, one of them compacts to the revision that it saw
 * one interval ago. It is the one that first updates the version of a shared record in etcd.
 */
export class EtcdCompactor {
  readonly #options: EtcdCompactorOptions;
  #version = 0;
  #revision = 0;

  constructor(options: EtcdCompactorOptions) {
    this.#options = options;
  }

  /** Must be called once in each interval. */
  async runOnce(): Promise<void> {
    const revision = this.#revision;
    const response = await this.#options.txn({
      key: recordKey,
      expected: { version: this.#version },
      value: Buffer.from(String(revision)),
    });
    this.#revision = response.revision;
    if (!response.succeeded) {
      this.#version = response.current?.version ?? 0;
      this.#options.onCompacted(Number(response.current?.value.toString()) || 0);
      return;
    }
    this.#version += 1;
    // The first time, no recorded revision is old enough.
    if (revision > 0) await this.#options.compact(revision);
  }

  /** Runs until the abort. Does not keep the process alive. */
  start({ intervalMs, onError, signal }: CompactorSchedule): void {
    if (intervalMs <= 0) return;
    const timer = setInterval(() => void this.runOnce().catch(onError), intervalMs).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
}

export interface CompactorSchedule {
  /** 0 disables compaction. */
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}
