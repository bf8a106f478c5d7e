import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { AuditEvent } from '../../audit/index.ts';
import type { SignIns } from '../../console/index.ts';
import { type FlowState, InFlightCounts, LevelSeats } from '../../flow-control/index.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { MetricsSnapshot } from '../../metrics/index.ts';
import type { CreateScope } from '../../registry/index.ts';
import type { SharedStore } from '../../storage/embedded/shared-store.ts';
import type { GeneratedKeys } from '../key-material.ts';
import type { ResolvedOptions, ServerOptions } from '../options.ts';
import type { RequestCounts } from '../server-status.ts';
import { untilBusy } from './busy-thread.ts';
import { growingThreads } from './growing-threads.ts';
import type { Colleagues } from './member.ts';
import type { PublishedFiles } from './published-files.ts';
import { ThreadLink } from './thread-link.ts';
import type { LoggedMessage, MemberAnswers, OwnerAnswers, ServingThread, ThreadStart } from './thread-protocol.ts';
import { maxYoungGenerationMb } from './young-generation.ts';

/** What the first thread does for the others. */
export interface OwnerServices
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
  /** Writes lines of the audit log. Resolves with what went wrong. */
  readonly audit: (lines: readonly Buffer[]) => Promise<Error | undefined>;
  /** Undefined without the console. */
  readonly signIns: SignIns | undefined;
  /** An extension server could not be reached. */
  readonly recheck: (name: string) => void;
}

export interface ApiThreadsOptions {
  readonly given: ServerOptions;
  readonly options: ResolvedOptions;
  readonly dataDir: string | undefined;
  /** Undefined if every thread opens its own connection. */
  readonly store: SharedStore | undefined;
  readonly files: PublishedFiles;
}

interface Member {
  readonly link: ThreadLink<OwnerAnswers, MemberAnswers>;
  readonly worker: Worker;
  /** Resolves when the thread has ended and its commits have been decided. */
  readonly exited: Promise<void>;
  isReady: boolean;
  /** Whether its space for new objects is to grow. */
  isGrowing: boolean;
}

/** How long after its end a thread is started again, in milliseconds: at first, and at most. */
const firstRestartMs = 100;
const lastRestartMs = 30_000;
/** After this run time, a failure counts as a new one. */
const steadyMs = 60_000;
/** Time limit for a thread to report its number of requests, in milliseconds. */
const answerTimeoutMs = 2_000;

// In the published bundle the thread is a separate file next to the chunk that contains this module.
const script = new URL(import.meta.url.endsWith('.ts') ? './api-thread.ts' : './api-thread.js', import.meta.url);

/** The further threads of a server, as the first one sees them. They answer requests, and do nothing else. */
export class ApiThreads implements Colleagues {
  readonly serverId = randomUUID();
  readonly inFlight: InFlightCounts;
  readonly seats: LevelSeats;
  readonly #options: ApiThreadsOptions;
  readonly #members = new Map<number, Member>();
  /** Threads that have ended, until their commits have been decided. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #services: OwnerServices | undefined;

  constructor(options: ApiThreadsOptions) {
    this.#options = options;
    this.inFlight = InFlightCounts.create(options.options.threads);
    this.seats = LevelSeats.create(options.options.threads);
  }

  /** The number of threads that accept connections, without the first one. */
  get ready(): number {
    return [...this.#members.values()].filter(({ isReady }) => isReady).length;
  }

  /** Starts the threads one after the other, at once or when they are needed. A thread that ends is started again. */
  start(services: OwnerServices): void {
    this.#services = services;
    this.#startAll().catch((err) => this.#options.options.log.error('the threads cannot be started', { err }));
  }

  async #startAll(): Promise<void> {
    const { threads, startsThreadsOnDemand } = this.#options.options;
    const { signal } = this.#stopping;
    const services = this.#services!;
    for (let index = 1; index < threads; index += 1) {
      // A thread is of no use to a single connection.
      if (startsThreadsOnDemand) await untilBusy(() => services.connections() > 1, signal);
      if (signal.aborted) return;
      await this.#start(index, firstRestartMs);
    }
  }

  /** When a thread starts on demand, clients are already connected to the others. */
  #spreadConnections(): void {
    const { startsThreadsOnDemand, log } = this.#options.options;
    if (!startsThreadsOnDemand) return;
    log.info('the server is busy and uses one more thread', { threads: this.ready + 1 });
    this.#services!.spreadConnections();
    for (const { link } of this.#members.values()) link.tell('spreadConnections', undefined);
  }

  metrics(path: string): Promise<MetricsSnapshot[]> {
    return this.#askAll((member) => member.link.ask('metrics', path));
  }

  resetMetrics(path: string): Promise<unknown> {
    return this.#askAll((member) => member.link.ask('resetMetrics', path));
  }

  requests(): Promise<RequestCounts[]> {
    return this.#askAll((member) => member.link.ask('requests', undefined));
  }

  flowStates(): Promise<FlowState[]> {
    return this.#askAll((member) => member.link.ask('flowState', undefined));
  }

  auditEvents(limit: number): Promise<(readonly AuditEvent[])[]> {
    return this.#askAll((member) => member.link.ask('auditEvents', limit));
  }

  /** Resolves when no further thread runs a write that may create an object in the scope, which is being deleted. */
  async createsEnded(scope: CreateScope): Promise<void> {
    const members = [...this.#members.values()];
    // A thread that ends meanwhile does not answer.
    const ended = members.map(({ link, exited }) => link.ask('createsEnded', scope).catch(() => exited));
    await Promise.all([...ended, ...this.#leaving]);
  }

  renew(keys: GeneratedKeys): void {
    for (const { link } of this.#members.values()) link.tell('renew', keys);
  }

  /** `/readyz` fails in all threads. */
  shutDown(): void {
    for (const { link } of this.#members.values()) link.tell('shutDown', undefined);
  }

  /** Resolves when all threads have closed their connections and ended. */
  async stop(): Promise<void> {
    const { options } = this.#options;
    this.#stopping.abort();
    await Promise.all(
      [...this.#members.values()].map(async ({ link, worker, exited }) => {
        // A thread that hangs does not stop by itself.
        await inTime(link.ask('stop', undefined), options.requestTimeoutMs + answerTimeoutMs).catch(() => {});
        await worker.terminate();
        await exited;
      }),
    );
  }

  /** Those that answer in time, without the one that asks. */
  async #askAll<T>(ask: (member: Member) => Promise<T>, except?: number): Promise<T[]> {
    const members = [...this.#members].filter(([index, { isReady }]) => isReady && index !== except);
    const answers = await Promise.allSettled(members.map(([, member]) => inTime(ask(member), answerTimeoutMs)));
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
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
    const worker = new Worker(script, {
      name: `api-${index}`,
      resourceLimits: { maxYoungGenerationSizeMb: maxYoungGenerationMb },
      workerData,
      transferList: [received.port, ...(connection === undefined ? [] : [connection.port])],
    });
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    const exited = Promise.withResolvers<void>();
    const link = new ThreadLink<OwnerAnswers, MemberAnswers>(worker, this.#answers(index, settle));
    this.#members.set(index, { link, worker, exited: exited.promise, isReady: false, isGrowing: false });
    let reason: unknown;
    worker.on('error', (error) => {
      reason = error;
    });
    worker.once('exit', (code) => {
      this.#setGrowing(index, false);
      this.inFlight.clear(index);
      this.seats.clear(index);
      this.#members.delete(index);
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

  #answers(index: number, ready: () => void): OwnerAnswers {
    const services = this.#services!;
    return {
      ready: () => {
        const member = this.#members.get(index);
        if (member !== undefined) member.isReady = true;
        this.#spreadConnections();
        ready();
      },
      growing: (isGrowing) => this.#setGrowing(index, isGrowing),
      log: (message) => this.#log(message),
      audit: async (lines) => (await services.audit(lines.map((line) => Buffer.from(line))))?.message,
      signIns: ({ name, args }) => {
        const { signIns } = services;
        const call = signIns![name] as (...given: readonly unknown[]) => MaybePromise<unknown>;
        return call.apply(signIns, [...args]);
      },
      recheck: (name) => services.recheck(name),
      metrics: async (path) => [
        await services.metrics(path),
        ...(await this.#askAll(({ link }) => link.ask('metrics', path), index)),
      ],
      resetMetrics: async (path) => {
        services.resetMetrics(path);
        await this.#askAll(({ link }) => link.ask('resetMetrics', path), index);
      },
      requests: async () => [
        services.requests(),
        ...(await this.#askAll(({ link }) => link.ask('requests', undefined), index)),
      ],
      flowStates: async () => [
        services.flowState(),
        ...(await this.#askAll(({ link }) => link.ask('flowState', undefined), index)),
      ],
      auditEvents: async (limit) => [
        services.auditEvents(limit),
        ...(await this.#askAll(({ link }) => link.ask('auditEvents', limit), index)),
      ],
    };
  }

  #setGrowing(index: number, isGrowing: boolean): void {
    const member = this.#members.get(index);
    if (member === undefined || member.isGrowing === isGrowing) return;
    member.isGrowing = isGrowing;
    growingThreads.change(isGrowing ? 1 : -1);
  }

  #log({ level, message, fields }: LoggedMessage): void {
    const { log } = this.#options.options;
    if (level === 'debug') log.debug?.(message, fields);
    else log[level](message, fields);
  }
}

function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer')), timeoutMs);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}
