import { withTimeout } from '../http/health/with-timeout.ts';
import type { Listener } from '../http/listener/index.ts';
import { serviceUnavailable } from '../meta/status-error.ts';
import type { Storage } from '../storage/index.ts';
import type { apiHandler } from './api-handler.ts';
import type { BackgroundWork } from './background-work.ts';
import type { ResolvedOptions } from './options.ts';
import type { ServerAudit } from './server-audit.ts';
import type { ServerTracing } from './server-tracing.ts';
import type { ApiThreads } from './threads/api-threads.ts';

/** How long requests may still wait for webhooks, issuers and extension servers. Their own timeouts are much longer. */
const callsMs = 3_000;

interface StopDependencies {
  readonly options: ResolvedOptions;
  readonly storage: Storage;
  readonly stopping: AbortController;
  readonly stopWatches: AbortController;
  /** Aborting it ends the calls of other servers. */
  readonly stopCalls: AbortController;
  readonly listener: Listener;
  readonly api: ReturnType<typeof apiHandler>;
  /** Aborting it makes `/readyz` fail. */
  readonly shutdown: AbortController;
  readonly work: BackgroundWork;
  readonly threads: ApiThreads | undefined;
  readonly audit: ServerAudit;
  readonly tracing: ServerTracing;
}

/**
 * Returns the function that stops a server, in this order: fail `/readyz`, notify the other servers, stop accepting,
 * end the watches and controllers, drain requests, release everything.
 */
export function createStop(dependencies: StopDependencies): () => Promise<void> {
  const { options, storage, stopping, shutdown, stopWatches, stopCalls, listener, api, work, threads, audit, tracing } =
    dependencies;
  const sequence = async (): Promise<void> => {
    shutdown.abort();
    threads?.shutDown();
    // The server leaves first, so that clients connect to other servers.
    await work.leave();
    if (options.shutdownDelayMs > 0) await new Promise((done) => setTimeout(done, options.shutdownDelayMs));
    listener.stopAccepting();
    // Controllers need a working API to stop cleanly.
    const workStopped = work.stop();
    const threadsStopped = threads?.stop();
    stopWatches.abort();
    const callsTimer = setTimeout(() => stopCalls.abort(serviceUnavailable('apiserver is shutting down', 1)), callsMs);
    const timeout = options.requestTimeoutMs;
    const drained = listener.drain({ timeout });
    await workStopped;
    const expired = (): Error => new Error('requests are still running');
    await Promise.all([drained, withTimeout(() => api.inFlight.close(), { timeout, expired })]).catch((err) =>
      options.log.error('the drain took too long', { err }),
    );
    clearTimeout(callsTimer);
    await listener.close();
    await threadsStopped;
    await audit.close();
    await tracing.close();
    stopping.abort();
    await storage.close();
  };
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= sequence();
    return stopped;
  };
}
