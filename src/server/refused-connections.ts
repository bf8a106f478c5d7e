import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Logger } from '../meta/logger.ts';

const checkMs = 1_000;
/** The minimum time between two messages about refused connections, in milliseconds. */
const quietMs = 60_000;
/** The limits of the process and of the system for open files. */
const shortages: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE']);

export interface RefusedConnectionsOptions {
  readonly log: Logger;
  /** Throws what opening a file throws. */
  readonly openFile?: () => void;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Reports connections that cannot be accepted. When no file descriptor is left, libuv accepts new connections with one
 * that it keeps for this case, closes them, and reports nothing. So this opens a file every second to find out. It does
 * so in the turn of the event loop, in which no connection is accepted that could need the descriptor.
 */
export class RefusedConnections {
  readonly #log: Logger;
  readonly #openFile: () => void;
  readonly #now: () => number;
  #loggedAt = Number.NEGATIVE_INFINITY;
  /** When the last message that descriptors are missing has been logged, unless it has been followed by another one. */
  #missingSince: number | undefined = undefined;

  constructor({ log, openFile = openNothing, now = () => performance.now() }: RefusedConnectionsOptions) {
    this.#log = log;
    this.#openFile = openFile;
    this.#now = now;
  }

  /** Looks for a shortage regularly until the signal aborts. */
  watch(signal: AbortSignal): void {
    const timer = setInterval(() => this.check(), checkMs).unref();
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  check(): void {
    try {
      this.#openFile();
    } catch (error) {
      // Connections do not depend on whether this file can be opened for another reason.
      if (shortages.has((error as NodeJS.ErrnoException).code)) this.report(error as Error);
      return;
    }
    if (this.#missingSince === undefined) return;
    const seconds = Math.round((this.#now() - this.#missingSince) / 1000);
    this.#missingSince = undefined;
    this.#log.info('file descriptors are free again: connections are accepted', { seconds });
  }

  /** Reports a connection that could not be accepted. */
  report(error: Error): void {
    const now = this.#now();
    if (now - this.#loggedAt < quietMs) return;
    this.#loggedAt = now;
    const { code, message } = error as NodeJS.ErrnoException;
    if (!shortages.has(code)) {
      this.#log.error('a connection could not be accepted', { err: message });
      return;
    }
    this.#missingSince ??= now;
    const whose = code === 'EMFILE' ? 'this process' : 'the system';
    this.#log.error(
      `no file descriptor is left in ${whose}: new connections are closed until others end. Raise the limit ` +
        '(ulimit -n, or LimitNOFILE of systemd), or lower --max-connections-per-client',
      { code },
    );
  }
}

function openNothing(): void {
  closeSync(openSync(devNull, 'r'));
}
