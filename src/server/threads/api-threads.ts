import { randomUUID } from 'node:crypto';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { AuditEvent } from '../../audit/index.ts';
import type { SignIns } from '../../console/index.ts';
import { type FlowState, InFlightCounts, LevelSeats } from '../../flow-control/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { MetricsSnapshot } from '../../metrics/index.ts';
import type { CreateScope } from '../../registry/index.ts';
import type { SharedStore } from '../../storage/embedded/shared-store.ts';
import type { GeneratedKeys } from '../key-material.ts';
import type { ResolvedOptions, ServerOptions } from '../options.ts';
import type { ThreadRequestCounts } from '../server-status.ts';
import type { OtherThreads } from './additional-thread.ts';
import { untilBusy } from './busy-thread.ts';
import type { PublishedFiles } from './published-files.ts';
import { threadHeaps } from './thread-heaps.ts';
import { ThreadLink } from './thread-link.ts';
import type {
  AdditionalThreadCalls,
  FirstThreadCalls,
  LoggedMessage,
  ServingThread,
  ThreadRole,
  ThreadStart,
} from './thread-protocol.ts';
import { maxYoungGenerationMb, type YoungGenerationSize } from './young-generation.ts';

/** Work that the first thread does for the others, and its own state. */
export interface FirstThreadServices
  extends Pick<
    ServingThread,
    'metrics' | 'resetMetrics' | 'requests' | 'flowState' | 'auditEvents' | 'spreadConnections'
  > {
  /** The port on which all threads listen. */
  readonly port: number;
  /** The number of connections of the first thread. */
  readonly connections: () => number;
  readonly startTime: Date;
  readonly keys: () => GeneratedKeys;
  /** Writes lines of the audit log. Resolves with the error, if there is one. */
  readonly audit: (lines: readonly Buffer[]) => Promise<Error | undefined>;
  /** Undefined without the console. */
  readonly signIns: SignIns | undefined;
  /** Reports that an extension server could not be reached. */
  readonly recheck: (name: string) => void;
}

export interface ApiThreadsOptions {
  readonly given: ServerOptions;
  readonly options: ResolvedOptions;
  readonly dataDir: string | undefined;
  /** Undefined if every thread opens its own connection to etcd. */
  readonly store: SharedStore | undefined;
  readonly files: PublishedFiles;
}

interface RunningThread {
  readonly link: ThreadLink<FirstThreadCalls, AdditionalThreadCalls>;
  readonly worker: Worker;
  /** Resolves when the thread has ended and its commits have been decided. */
  readonly exited: Promise<void>;
  isReady: boolean;
  youngGeneration: YoungGenerationSize;
}

/** Delay before a thread that has ended is restarted, in milliseconds: the first delay and the maximum. */
const firstRestartMs = 100;
const lastRestartMs = 30_000;
/** A thread that ran for longer than this restarts after the first delay again. In milliseconds. */
const steadyMs = 60_000;
/**
 * No more than the main thread has, so that no thread accepts objects that are nested too deeply for another one. Node.js
 * gives other threads four times as much.
 */
const stackSizeMb = 0.9;
/** Time limit for the reply of a thread, in milliseconds. */
const replyTimeoutMs = 2_000;

// In the published bundle the thread is a separate file next to the chunk that contains this module.
const script = new URL(import.meta.url.endsWith('.ts') ? './api-thread.ts' : './api-thread.cjs', import.meta.url);

/** The additional threads, managed by the first thread. They only serve requests. */
export class ApiThreads implements OtherThreads {
  readonly serverId = randomUUID();
  readonly inFlight: InFlightCounts;
  readonly seats: LevelSeats;
  readonly #options: ApiThreadsOptions;
  readonly #running = new Map<number, RunningThread>();
  /** Threads that have ended, until their commits have been decided. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  /** Whether the thread for large requests has been started. Like the others, it is restarted when it ends. */
  #hasLargeRequests = false;
  onLargeRequests: OtherThreads['onLargeRequests'] = (port) => port.close();
  #services: FirstThreadServices | undefined;

  constructor(options: ApiThreadsOptions) {
    this.#options = options;
    // One more than serve connections, for large requests.
    const threads = options.options.threads + 1;
    this.inFlight = InFlightCounts.create(threads);
    this.seats = LevelSeats.create(threads);
  }

  /** The number of additional threads that accept connections. */
  get ready(): number {
    return [...this.#running].filter(([index, { isReady }]) => isReady && this.#roleOf(index) === 'connections').length;
  }

  /** Starts the threads one after the other, at once or on demand. A thread that ends is restarted. */
  start(services: FirstThreadServices): void {
    this.#services = services;
    this.#startAll().catch((err) => this.#options.options.log.error('the threads cannot be started', { err }));
  }

  async #startAll(): Promise<void> {
    const { threads, startsThreadsOnDemand } = this.#options.options;
    const { signal } = this.#stopping;
    const services = this.#services!;
    for (let index = 1; index < threads; index += 1) {
      // A single connection cannot use a second thread.
      if (startsThreadsOnDemand) await untilBusy(() => services.connections() > 1, signal);
      if (signal.aborted) return;
      await this.#start(index, firstRestartMs);
    }
  }

  /** Asks clients to reconnect: when a thread starts on demand, they are connected to the other threads. */
  #spreadConnections(): void {
    const { startsThreadsOnDemand, log } = this.#options.options;
    if (!startsThreadsOnDemand) return;
    log.info('the server is busy and uses one more thread', { threads: this.ready + 1 });
    this.#services!.spreadConnections();
    for (const { link } of this.#running.values()) link.notify('spreadConnections', undefined);
  }

  #roleOf(index: number): ThreadRole {
    return index < this.#options.options.threads ? 'connections' : 'large requests';
  }

  /** The thread for large requests starts when the first one arrives, because many servers never get one. */
  startLargeRequests(): boolean {
    if (this.#services === undefined) return false;
    if (this.#hasLargeRequests || this.#stopping.signal.aborted) return true;
    this.#hasLargeRequests = true;
    this.#start(this.#options.options.threads, firstRestartMs).catch((err) =>
      this.#options.options.log.error('the thread for large requests cannot be started', { err }),
    );
    return true;
  }

  /** Connects a thread that has become ready with the one for large requests. */
  #connectLargeRequests(index: number): void {
    const large = this.#running.get(this.#options.options.threads);
    if (!large?.isReady) return;
    const connect = (): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      large.link.notify('connectLargeRequests', port2);
      return port1;
    };
    if (this.#roleOf(index) === 'connections') {
      this.#running.get(index)?.link.notify('connectLargeRequests', connect());
      return;
    }
    this.onLargeRequests(connect());
    for (const { link, isReady } of this.#running.values()) {
      if (isReady && link !== large.link) link.notify('connectLargeRequests', connect());
    }
  }

  metrics(path: string): Promise<MetricsSnapshot[]> {
    return this.#callAll((thread) => thread.link.call('metrics', path));
  }

  resetMetrics(path: string): Promise<unknown> {
    return this.#callAll((thread) => thread.link.call('resetMetrics', path));
  }

  requests(): Promise<ThreadRequestCounts[]> {
    return this.#callAll((thread) => thread.link.call('requests', undefined));
  }

  flowStates(): Promise<FlowState[]> {
    return this.#callAll((thread) => thread.link.call('flowState', undefined));
  }

  auditEvents(limit: number): Promise<(readonly AuditEvent[])[]> {
    return this.#callAll((thread) => thread.link.call('auditEvents', limit));
  }

  /** Resolves when no additional thread runs a create in the scope, which is being deleted. */
  async createsEnded(scope: CreateScope): Promise<void> {
    const running = [...this.#running.values()];
    // A thread that ends meanwhile does not reply.
    const ended = running.map(({ link, exited }) => link.call('createsEnded', scope).catch(() => exited));
    await Promise.all([...ended, ...this.#leaving]);
  }

  renew(keys: GeneratedKeys): void {
    for (const { link } of this.#running.values()) link.notify('renew', keys);
  }

  /** Makes `/readyz` fail in all additional threads. */
  shutDown(): void {
    for (const { link } of this.#running.values()) link.notify('shutDown', undefined);
  }

  /** Resolves when all threads have closed their connections and ended. */
  async stop(): Promise<void> {
    const { options } = this.#options;
    this.#stopping.abort();
    await Promise.all(
      [...this.#running.values()].map(async ({ link, worker, exited }) => {
        // A thread that hangs does not stop by itself.
        await inTime(link.call('stop', undefined), options.requestTimeoutMs + replyTimeoutMs).catch(() => {});
        await worker.terminate();
        await exited;
      }),
    );
  }

  /** Returns the replies that arrive in time. `except` is the index of the thread that asks. */
  async #callAll<T>(call: (thread: RunningThread) => Promise<T>, except?: number): Promise<T[]> {
    const running = [...this.#running].filter(([index, { isReady }]) => isReady && index !== except);
    const replies = await Promise.allSettled(running.map(([, thread]) => inTime(call(thread), replyTimeoutMs)));
    return replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  }

  /** Resolves when the thread is ready or has ended. */
  async #start(index: number, delayMs: number): Promise<void> {
    const { given, options, dataDir, store, files } = this.#options;
    const { port, keys, startTime } = this.#services!;
    const { log: _, ...plain } = { ...given, threads: options.threads };
    const connection = await store?.connect();
    const received = files.connect();
    const started = performance.now();
    const workerData: ThreadStart = {
      index,
      role: this.#roleOf(index),
      options: plain,
      logsDebug: options.log.debug !== undefined,
      dataDir,
      port,
      keys: keys(),
      store: connection,
      files: received,
      startTime: startTime.getTime(),
      serverId: this.serverId,
      inFlight: this.inFlight.memory,
      seats: this.seats.memory,
    };
    let isLoading = true;
    threadHeaps.changeLoading(1);
    const loaded = (): void => {
      if (isLoading) threadHeaps.changeLoading(-1);
      isLoading = false;
    };
    const worker = new Worker(script, {
      name: this.#roleOf(index) === 'connections' ? `api-${index}` : 'api-large',
      resourceLimits: { maxYoungGenerationSizeMb: maxYoungGenerationMb, stackSizeMb },
      workerData,
      transferList: [received.port, ...(connection === undefined ? [] : [connection.port])],
    });
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    const exited = Promise.withResolvers<void>();
    const link = new ThreadLink<FirstThreadCalls, AdditionalThreadCalls>(
      worker,
      this.#callsOf(index, { loaded, ready: settle }),
    );
    this.#running.set(index, {
      link,
      worker,
      exited: exited.promise,
      isReady: false,
      youngGeneration: 'sufficient',
    });
    let reason: unknown;
    worker.on('error', (error) => {
      reason = error;
    });
    worker.once('exit', (code) => {
      loaded();
      this.#setYoungGeneration(index, 'sufficient');
      this.inFlight.clear(index);
      this.seats.clear(index);
      this.#running.delete(index);
      link.end(new Error(`thread ${index} has ended`));
      this.#leave(connection === undefined ? Promise.resolve() : store!.release(connection), exited.resolve);
      settle();
      this.#ended({
        index,
        reason: reason ?? new Error(`exit code ${code}`),
        delayMs,
        ranMs: performance.now() - started,
      });
    });
    await settled;
  }

  #leave(released: Promise<void>, left: () => void): void {
    this.#leaving.add(released);
    void released.then(() => {
      this.#leaving.delete(released);
      left();
    });
  }

  #ended(end: {
    readonly index: number;
    readonly reason: unknown;
    readonly delayMs: number;
    readonly ranMs: number;
  }): void {
    const { index, reason, ranMs } = end;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const delayMs = ranMs > steadyMs ? firstRestartMs : end.delayMs;
    this.#options.options.log.error('a thread has ended and is started again', { thread: index, delayMs, err: reason });
    const timer = setTimeout(() => {
      if (signal.aborted) return;
      this.#start(index, Math.min(2 * delayMs, lastRestartMs)).catch((err) =>
        this.#options.options.log.error('a thread cannot be started', { thread: index, err }),
      );
    }, delayMs).unref();
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #callsOf(
    index: number,
    { loaded, ready }: { readonly loaded: () => void; readonly ready: () => void },
  ): FirstThreadCalls {
    const services = this.#services!;
    return {
      loaded,
      ready: () => {
        const thread = this.#running.get(index);
        if (thread !== undefined) thread.isReady = true;
        if (this.#roleOf(index) === 'connections') this.#spreadConnections();
        this.#connectLargeRequests(index);
        ready();
      },
      youngGeneration: (size) => this.#setYoungGeneration(index, size),
      log: (message) => this.#log(message),
      audit: async (lines) => (await services.audit(lines.map((line) => Buffer.from(line))))?.message,
      signIns: ({ name, args }) => {
        const { signIns } = services;
        const call = signIns![name] as (...given: readonly unknown[]) => MaybePromise<unknown>;
        return call.apply(signIns, [...args]);
      },
      recheck: (name) => services.recheck(name),
      startLargeRequests: () => void this.startLargeRequests(),
      metrics: async (path) => [
        await services.metrics(path),
        ...(await this.#callAll(({ link }) => link.call('metrics', path), index)),
      ],
      resetMetrics: async (path) => {
        services.resetMetrics(path);
        await this.#callAll(({ link }) => link.call('resetMetrics', path), index);
      },
      requests: async () => [
        services.requests(),
        ...(await this.#callAll(({ link }) => link.call('requests', undefined), index)),
      ],
      flowStates: async () => [
        services.flowState(),
        ...(await this.#callAll(({ link }) => link.call('flowState', undefined), index)),
      ],
      auditEvents: async (limit) => [
        services.auditEvents(limit),
        ...(await this.#callAll(({ link }) => link.call('auditEvents', limit), index)),
      ],
    };
  }

  #setYoungGeneration(index: number, size: YoungGenerationSize): void {
    const thread = this.#running.get(index);
    if (thread === undefined || thread.youngGeneration === size) return;
    thread.youngGeneration = size;
    threadHeaps.changeGrowing(size === 'too small' ? 1 : -1);
  }

  #log({ level, message, fields }: LoggedMessage): void {
    const { log } = this.#options.options;
    if (level === 'debug') log.debug?.(message, fields);
    else log[level](message, fields);
  }
}

function inTime<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer')), timeoutMs);
  return Promise.race([reply, late.promise]).finally(() => clearTimeout(timer));
}
