import { Worker } from 'node:worker_threads';
import type { Client } from '../../client/index.ts';
import type { Logger } from '../../meta/logger.ts';
import { ThreadLink } from './thread-link.ts';

/** Start parameters of the thread that serves health checks. */
export interface HealthStart {
  readonly host: string;
  readonly port: number;
  /** How long the last result of a busy server is reused, in milliseconds. */
  readonly maxSilenceMs: number;
}

export interface HealthReport {
  readonly status: number;
  readonly text: string;
}

/** Calls from the health thread to the first thread. */
export type HealthCalls = {
  /** Runs a health check. The path includes the query. */
  check(path: string): Promise<HealthReport>;
  listening(port: number): void;
  failed(reason: string): void;
};

/** The first thread does not call the health thread. */
export type HealthThreadCalls = Record<never, never>;

export interface HealthPortOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** A client of the server itself, for the health checks. */
  readonly client: Pick<Client, 'fetch'>;
  readonly log: Logger;
  readonly maxSilenceMs?: number;
  readonly signal: AbortSignal;
}

const defaultMaxSilenceMs = 20_000;
/** Delay before a restart of the thread, in milliseconds. */
const restartMs = 1000;
/** The thread needs little memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 };

// In the published bundle the thread is a separate file next to the chunk that contains this module.
const script = new URL(import.meta.url.endsWith('.ts') ? './health-thread.ts' : './health-thread.cjs', import.meta.url);

/**
 * Serves health checks over plain HTTP on a separate port and thread, until the signal aborts. Resolves with the port.
 * Rejects when the port cannot be used.
 */
export async function openHealthPort(options: HealthPortOptions): Promise<number> {
  const { host, client, log, maxSilenceMs = defaultMaxSilenceMs, signal } = options;
  const start = (port: number): Promise<number> => {
    const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
    const workerData: HealthStart = { host, port, maxSilenceMs };
    const worker = new Worker(script, { name: 'health', workerData, resourceLimits });
    const link = new ThreadLink<HealthCalls, HealthThreadCalls>(worker, {
      check: (path) => check(client, path),
      listening: resolve,
      failed: (reason) => reject(new Error(`health checks cannot be answered on port ${port}: ${reason}`)),
    });
    const end = (): void => void worker.terminate();
    signal.addEventListener('abort', end, { once: true });
    listening.catch(end);
    worker.on('error', (err) => log.error('the thread for health checks failed', { err }));
    worker.once('exit', async (code) => {
      signal.removeEventListener('abort', end);
      link.end(new Error('the thread for health checks has ended'));
      reject(new Error(`the thread for health checks has ended with code ${code}`));
      // A thread that never listened has already rejected openHealthPort.
      const used = await listening.catch(() => undefined);
      if (signal.aborted || used === undefined) return;
      log.error('the thread for health checks has ended and is started again', { code });
      setTimeout(
        () => !signal.aborted && start(used).catch((err) => log.error(err.message, { err })),
        restartMs,
      ).unref();
    });
    return listening;
  };
  return start(options.port);
}

async function check(client: Pick<Client, 'fetch'>, path: string): Promise<HealthReport> {
  const { status, body } = await client.fetch({ method: 'GET', path });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { status, text: Buffer.concat(chunks).toString() };
}
