import type { Logger } from '../../meta/logger.ts';

const windowMs = 60_000;
/** The maximum number of lines per client and minute. */
const maxLines = 10;
/** The maximum number of clients that are tracked. */
const maxClients = 1000;

interface Client {
  windowEndsAt: number;
  lines: number;
  /** Refusals that were not logged since the last line. */
  unlogged: number;
}

export interface RefusalLogOptions {
  readonly log: Pick<Logger, 'info'>;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

/** Logs refused credentials, a few per client and minute, so that clients cannot flood the log. */
export class RefusalLog {
  readonly #log: Pick<Logger, 'info'>;
  readonly #now: () => number;
  readonly #clients = new Map<string, Client>();

  constructor({ log, now = () => performance.now() }: RefusalLogOptions) {
    this.#log = log;
    this.#now = now;
  }

  /** `source` is the address of the client. */
  add(reason: string, source: string | undefined): void {
    const now = this.#now();
    const client = this.#client(source ?? '', now);
    if (now >= client.windowEndsAt) {
      client.windowEndsAt = now + windowMs;
      client.lines = 0;
    }
    if (client.lines === maxLines) {
      client.unlogged++;
      return;
    }
    const { unlogged } = client;
    client.lines++;
    client.unlogged = 0;
    this.#log.info('token refused', { reason, source, ...(unlogged > 0 && { unlogged }) });
  }

  #client(source: string, now: number): Client {
    const known = this.#clients.get(source);
    if (known !== undefined) return known;
    if (this.#clients.size >= maxClients) this.#forget(now);
    // All further clients share the lines of one client.
    if (this.#clients.size >= maxClients) return this.#clients.get('') ?? this.#add('');
    return this.#add(source);
  }

  #add(source: string): Client {
    const client: Client = { windowEndsAt: 0, lines: 0, unlogged: 0 };
    this.#clients.set(source, client);
    return client;
  }

  #forget(now: number): void {
    for (const [source, { windowEndsAt }] of this.#clients) if (now >= windowEndsAt) this.#clients.delete(source);
  }
}
