import type { Filter, Handler } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { isLongRunning } from '../http/request-info.ts';
import { type MaybePromise, whenSettled } from '../meta/maybe-promise.ts';
import type { UserInfo } from '../meta/user.ts';
import type { FlowControl } from './flow-control.ts';
import type { RejectReason } from './flow-meter.ts';
import { FairRequest } from './queues/fair-request.ts';
import { respondTooManyRequests } from './respond-too-many-requests.ts';
import type { RunningRequests } from './running-requests.ts';
import type { ServedSchema } from './served-schema.ts';
import { type FindLoad, workOf } from './work-estimate.ts';

export interface FlowControlFilterOptions {
  readonly control: FlowControl;
  readonly findLoad: FindLoad;
  /** Records the requests that wait or run. */
  readonly running: RunningRequests;
  /** The time limit of requests, in milliseconds. A request waits a quarter of its time at most. */
  readonly requestTimeoutMs: number;
  /** Whether `control` has the clock of requests, `performance.now()`, so that the clock is read only once for both. */
  readonly sharesClock?: boolean;
}

/** The part of its time that a request may spend in a queue. */
const waitingShare = 1 / 4;

/**
 * Lets each request run when its priority level has seats for it. Requests that find seats run at once, without a
 * promise. Connections to other servers are not limited, and a watch holds its seats until its backlog is written.
 */
export function flowControlFilter(options: FlowControlFilterOptions): Filter {
  const gate = new Gate(options);
  return (context, next) => {
    const { info, user } = context;
    if (user === undefined || (info.verb !== 'watch' && isLongRunning(info))) return next(context);
    return gate.pass(context, next, user);
  };
}

class Gate {
  readonly #options: FlowControlFilterOptions;

  constructor(options: FlowControlFilterOptions) {
    this.#options = options;
  }

  pass(context: RequestContext, next: Handler, user: UserInfo): MaybePromise<void> {
    const { control, findLoad } = this.#options;
    const { info, exchange } = context;
    const schema = control.classify(user, info);
    const { level } = schema;
    exchange.setHeaders(schema.headers);
    if (level.isExempt) return this.#runExempt(context, next, schema);
    const { seats, isWide } = workOf(context, findLoad, level.maxSeats);
    if (seats === 1 && info.verb !== 'watch' && level.queues.tryStartIdle())
      return this.#runIdle(context, next, schema);
    const request = new FairRequest({ flow: schema.flowOf(user, info), seats, isWide });
    const arrival = level.queues.arrive(request);
    schema.series.estimated.observe(seats);
    const run: Run = { context, schema, request };
    if (arrival === 'started') return this.#run(run, next);
    if (arrival !== 'waiting') return this.#refuse(context, schema, arrival);
    return this.#wait(run, next);
  }

  /** Returns the arrival time of a request. A request that has not waited for anything has just started. */
  #arrivalOf({ stages, startedAt }: RequestContext): number {
    const { sharesClock, control } = this.#options;
    return sharesClock === true && stages === undefined ? startedAt : control.now();
  }

  #wait(run: Run, next: Handler): Promise<void> {
    const { context, schema, request } = run;
    const waiting = new Waiting({ ...run, ...this.#options }, () => this.#run(run, next));
    request.onStart = () => waiting.begin();
    void this.#options.control.awaitSharedSeats();
    return waiting.result.then((outcome) => outcome && this.#refuse(context, schema, outcome));
  }

  /** Runs a request of one seat without competition. */
  #runIdle(context: RequestContext, next: Handler, schema: ServedSchema): MaybePromise<void> {
    const { level, series } = schema;
    const startedAt = this.#arrivalOf(context);
    level.dispatched++;
    let result: MaybePromise<void>;
    try {
      result = next(context);
    } catch (error) {
      this.#recordFinished(context, schema, startedAt);
      throw error;
    }
    if (!(result instanceof Promise)) {
      this.#recordFinished(context, schema, startedAt);
      return;
    }
    const request = new FairRequest({ flow: schema.flowOf(context.user!, context.info), seats: 1 });
    level.queues.join(request, startedAt);
    series.dispatched.add();
    series.estimated.observe(1);
    return this.#continue({ context, schema, request }, result);
  }

  #recordFinished(context: RequestContext, { level, series }: ServedSchema, startedAt: number): void {
    const { control, sharesClock } = this.#options;
    const endedAt = control.now();
    if (sharesClock === true) context.handledAt = endedAt;
    level.queues.recordFinished(startedAt, endedAt);
    series.executedAtOnce(endedAt - startedAt);
    control.pacer.spend(level, endedAt - startedAt);
  }

  #run(run: Run, next: Handler): MaybePromise<void> {
    const { context, schema } = run;
    const { level, series } = schema;
    const { control } = this.#options;
    level.dispatched++;
    series.dispatched.add();
    let result: MaybePromise<void>;
    try {
      result = next(context);
    } catch (error) {
      control.pacer.spend(level, end(run));
      throw error;
    }
    if (!(result instanceof Promise)) {
      control.pacer.spend(level, end(run));
      return;
    }
    return this.#continue(run, result);
  }

  /** Continues with a request that did not respond synchronously. */
  #continue(run: Run, result: Promise<void>): Promise<void> {
    const { context, schema, request } = run;
    const { level, series } = schema;
    const { control, running } = this.#options;
    control.pacer.chargeContinued(level, control.now() - request.startedAt!);
    const id = running.add({ context, schema, request, arrivedAt: request.arrivedAt });
    series.executing.add(1);
    return whenSettled(result, () => {
      running.delete(id);
      series.executing.add(-1);
      end(run);
    });
  }

  #runExempt(context: RequestContext, next: Handler, schema: ServedSchema): MaybePromise<void> {
    const { level, series } = schema;
    const { control, running } = this.#options;
    const { demand } = level.queues;
    const startedAt = this.#arrivalOf(context);
    level.dispatched++;
    series.dispatched.add();
    level.exempted++;
    demand.change(1, startedAt);
    let result: MaybePromise<void>;
    try {
      result = next(context);
    } catch (error) {
      this.#endExempt(context, schema, startedAt);
      throw error;
    }
    if (!(result instanceof Promise)) return this.#endExempt(context, schema, startedAt);
    control.pacer.countExempt();
    const id = running.add({ context, schema, request: undefined, arrivedAt: startedAt });
    series.executing.add(1);
    return whenSettled(result, () => {
      running.delete(id);
      series.executing.add(-1);
      this.#endExempt(context, schema, startedAt);
    });
  }

  #endExempt({ info }: RequestContext, { level, series }: ServedSchema, startedAt: number): void {
    const now = this.#options.control.now();
    level.exempted--;
    level.queues.demand.change(-1, now);
    series.took[info.verb === 'watch' ? 'watch' : 'regular'].observe((now - startedAt) / 1000);
  }

  #refuse({ exchange }: RequestContext, { level, series }: ServedSchema, reason: RejectReason): void {
    series.rejected(reason).add();
    if (reason === 'cancelled') {
      level.cancelled++;
      return;
    }
    if (reason === 'time-out') level.timedOut++;
    else level.rejected++;
    level.retryAfter.refused();
    respondTooManyRequests(exchange, level.retryAfter.seconds);
  }
}

/** A request that holds seats. */
interface Run {
  readonly context: RequestContext;
  readonly schema: ServedSchema;
  readonly request: FairRequest;
}

/** Releases the seats. Returns how long the request held them. */
function end({ context, schema, request }: Run): number {
  const milliseconds = schema.level.queues.finish(request);
  schema.series.took[context.info.verb === 'watch' ? 'watch' : 'regular'].observe(milliseconds / 1000);
  return milliseconds;
}

interface WaitingOptions extends FlowControlFilterOptions, Run {}

/** A request in a queue, until it starts or is cancelled. */
class Waiting {
  /** Resolves when the request has run, or with the reason why it did not. Rejects with the error of the request. */
  readonly result: Promise<RejectReason | undefined>;
  readonly #options: WaitingOptions;
  readonly #run: () => MaybePromise<void>;
  readonly #settle: PromiseWithResolvers<RejectReason | undefined>;
  readonly #timer: NodeJS.Timeout;
  readonly #runningId: number;
  readonly #leave = (): void => this.#reject('cancelled');

  constructor(options: WaitingOptions, run: () => MaybePromise<void>) {
    const { context, schema, request, running, control, requestTimeoutMs } = options;
    this.#options = options;
    this.#run = run;
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
    schema.series.inQueue.add(1);
    control.waiting.of(context.info).begin(request.arrivedAt);
    schema.series.queueLength.observe(request.queue!.length);
    this.#runningId = running.add({ context, schema, request, arrivedAt: request.arrivedAt });
    const left = context.deadline === undefined ? requestTimeoutMs : context.deadline - control.now();
    this.#timer = setTimeout(() => this.#reject('time-out'), Math.max(0, left * waitingShare));
    context.exchange.signal.addEventListener('abort', this.#leave, { once: true });
  }

  /** Runs the request, which now has its seats. */
  begin(): void {
    const { context, schema, request } = this.#options;
    this.#end();
    const waitedMs = request.startedAt! - request.arrivedAt;
    context.waitedMs += waitedMs;
    context.reached('queue');
    schema.series.waited.executed.observe(waitedMs / 1000);
    const { resolve, reject } = this.#settle;
    try {
      const result = this.#run();
      if (result instanceof Promise) result.then(() => resolve(undefined), reject);
      else resolve(undefined);
    } catch (error) {
      reject(error);
    }
  }

  #reject(reason: RejectReason): void {
    const { schema, request, control } = this.#options;
    if (!schema.level.queues.cancel(request)) return;
    this.#end();
    schema.series.waited.refused.observe((control.now() - request.arrivedAt) / 1000);
    this.#settle.resolve(reason);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#options.context.exchange.signal.removeEventListener('abort', this.#leave);
    this.#options.running.delete(this.#runningId);
    this.#options.schema.series.inQueue.add(-1);
    this.#options.control.waiting.of(this.#options.context.info).end();
  }
}
