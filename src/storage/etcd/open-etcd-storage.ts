import type { Storage, StorageError } from '../storage.ts';
import type { EtcdTls } from './channel.ts';
import { parseEndpoint } from './endpoint.ts';
import { KeySpace } from './key-space.ts';
import type { TimeToLive } from './leases.ts';
import { Members } from './members.ts';

export interface EtcdStorageOptions {
  /** Such as `https://10.0.0.1:2379`. One is enough, but the others are used only if they are listed. */
  readonly endpoints: readonly string[];
  /** Returns the TLS credentials. Called for each connection, so that certificates can change. */
  readonly tls?: () => Promise<EtcdTls>;
  /** The common prefix of all keys; `/registry` by default. */
  readonly root?: string;
  /** The prefix in etcd that replaces it; the same by default. */
  readonly prefix?: string;
  /** Which keys expire. */
  readonly ttl?: readonly TimeToLive[];
  /** How often old history is removed, by one of all servers; never by default. */
  readonly compactionIntervalMs?: number;
  /** How long to try to connect at the beginning; once by default. */
  readonly connectMs?: number;
  /** The deadline of calls. Longer than etcd itself waits for a quorum (7 s). */
  readonly timeoutMs?: number;
  /** Told also that a connection takes long at the beginning, and why. */
  readonly log?: (message: string, fields?: object) => void;
  /** Called when the store has been closed. */
  readonly onClosed?: () => void;
}

const connectAgainMs = 200;
/** When it is logged that no member has answered yet, and how often again. */
const firstReportMs = 500;
const nextReportMs = 5000;

/** Connects to an etcd cluster. Rejects with `Unavailable` when no member responds. */
export async function openEtcdStorage(options: EtcdStorageOptions): Promise<Storage> {
  // Loaded on demand: it delays the start, and other stores do not need it.
  const { EtcdStorage } = await import('./etcd-storage.ts');
  const { root = '/registry', prefix = root, timeoutMs = 10_000, log = () => {} } = options;
  const members = new Members({
    endpoints: options.endpoints.map(parseEndpoint),
    tls: options.tls ?? (async () => ({})),
    timeoutMs,
  });
  const deadline = performance.now() + (options.connectMs ?? 0);
  const wait = new ReportedWait(options.endpoints, log);
  try {
    for (;;) {
      try {
        return await EtcdStorage.open({
          members,
          keys: new KeySpace({ root, prefix }),
          ttl: options.ttl ?? [],
          compactionIntervalMs: options.compactionIntervalMs ?? 0,
          log,
          onClosed: options.onClosed ?? (() => {}),
        });
      } catch (error) {
        const { code, message } = error as StorageError;
        if (code !== 'Unavailable' || performance.now() + connectAgainMs > deadline) {
          members.close();
          throw error;
        }
        wait.failed(message);
      }
      await new Promise((resolve) => setTimeout(resolve, connectAgainMs));
    }
  } finally {
    wait.end();
  }
}

/** Logs soon, and then regularly, that no member has answered, and why. */
class ReportedWait {
  readonly #endpoints: readonly string[];
  readonly #log: (message: string) => void;
  #timer: NodeJS.Timeout;
  #cause = 'no answer yet';

  constructor(endpoints: readonly string[], log: (message: string) => void) {
    this.#endpoints = endpoints;
    this.#log = log;
    this.#timer = setTimeout(() => this.#report(), firstReportMs);
  }

  failed(cause: string): void {
    this.#cause = cause;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #report(): void {
    this.#log(`waiting for etcd at ${this.#endpoints.join(', ')}: ${this.#cause}`);
    this.#timer = setTimeout(() => this.#report(), nextReportMs);
  }
}
