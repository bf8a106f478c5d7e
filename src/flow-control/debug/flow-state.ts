import type { FlowControl } from '../flow-control.ts';
import type { PriorityLevel } from '../levels/priority-level.ts';
import { namespaceOf } from '../matching/rule-matches.ts';
import type { RunningRequest, RunningRequests } from '../running-requests.ts';

/** The current state of flow control in one or several threads. It can be sent to another thread. */
export interface FlowState {
  readonly levels: readonly LevelState[];
  readonly requests: readonly RequestState[];
}

export interface LevelState {
  readonly name: string;
  readonly isIdle: boolean;
  readonly isQuiescing: boolean;
  readonly waiting: number;
  readonly executing: number;
  readonly dispatched: number;
  readonly rejected: number;
  readonly timedOut: number;
  readonly cancelled: number;
  /** The number of queues. */
  readonly queueCount: number;
  /** The queues that have been used, by their indexes. */
  readonly queues: ReadonlyMap<number, QueueState>;
}

export interface QueueState {
  readonly length: number;
  readonly executing: number;
  readonly seatsInUse: number;
  readonly seatsWaiting: number;
  /** In seat-milliseconds. */
  readonly nextStart: number;
}

export interface RequestState {
  readonly level: string;
  readonly schema: string;
  readonly queue: number | undefined;
  /** Undefined unless the request waits. */
  readonly indexInQueue: number | undefined;
  readonly distinguisher: string;
  /** The times are in milliseconds since 1970. The start is undefined while the request waits. */
  readonly arrivedAt: number;
  readonly startedAt: number | undefined;
  readonly seats: number;
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

/** Returns the state of this thread. */
export function flowState(control: FlowControl, running: RunningRequests): FlowState {
  const { levels } = control;
  const positions = new Map(
    levels.flatMap(({ queues }) =>
      [...queues.queues].flatMap((queue) => [...queue].map((request, index) => [request, index] as const)),
    ),
  );
  const requests = [...running].map((one) => requestState(one, one.request && positions.get(one.request)));
  return { levels: levels.map(levelState), requests };
}

/** Combines the states of all threads. */
export function flowStateOfAll(states: readonly FlowState[]): FlowState {
  const levels = new Map<string, LevelState>();
  for (const level of states.flatMap((state) => state.levels)) {
    const known = levels.get(level.name);
    levels.set(level.name, known === undefined ? level : levelTogether(known, level));
  }
  return {
    levels: [...levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    // Requests are sorted by arrival, as in a single thread.
    requests: states.flatMap(({ requests }) => requests).sort((a, b) => a.arrivedAt - b.arrivedAt),
  };
}

function levelState(level: PriorityLevel): LevelState {
  const { name, isIdle, isQuiescing, dispatched, rejected, timedOut, cancelled, queues: set } = level;
  return {
    name,
    isIdle,
    isQuiescing,
    waiting: set.waiting,
    executing: level.isExempt ? level.exempted : set.executing,
    dispatched,
    rejected,
    timedOut,
    cancelled,
    queueCount: set.queuing?.queues ?? 0,
    queues: new Map(
      [...set.queues].map(({ index, length, executing, seatsInUse, seatsWaiting, nextStart }) => [
        index,
        { length, executing, seatsInUse, seatsWaiting, nextStart },
      ]),
    ),
  };
}

function levelTogether(a: LevelState, b: LevelState): LevelState {
  const queues = new Map(a.queues);
  for (const [index, queue] of b.queues) {
    const known = queues.get(index);
    queues.set(index, known === undefined ? queue : queueTogether(known, queue));
  }
  return {
    name: a.name,
    isIdle: a.isIdle && b.isIdle,
    isQuiescing: a.isQuiescing && b.isQuiescing,
    waiting: a.waiting + b.waiting,
    executing: a.executing + b.executing,
    dispatched: a.dispatched + b.dispatched,
    rejected: a.rejected + b.rejected,
    timedOut: a.timedOut + b.timedOut,
    cancelled: a.cancelled + b.cancelled,
    queueCount: Math.max(a.queueCount, b.queueCount),
    queues,
  };
}

function queueTogether(a: QueueState, b: QueueState): QueueState {
  return {
    length: a.length + b.length,
    executing: a.executing + b.executing,
    seatsInUse: a.seatsInUse + b.seatsInUse,
    seatsWaiting: a.seatsWaiting + b.seatsWaiting,
    nextStart: Math.max(a.nextStart, b.nextStart),
  };
}

function requestState(running: RunningRequest, indexInQueue: number | undefined): RequestState {
  const { schema, request, context, arrivedAt } = running;
  const { target, verb, path } = context.info;
  const { name = '', version = '', resource = '', subresource = '' } = target ?? {};
  const startedAt = request === undefined ? arrivedAt : request.startedAt;
  return {
    level: schema.level.name,
    schema: schema.name,
    queue: request?.queue?.index,
    indexInQueue,
    distinguisher: request?.flow.distinguisher ?? '',
    arrivedAt: timeOf(arrivedAt),
    startedAt: startedAt && timeOf(startedAt),
    seats: request?.seats ?? 1,
    user: context.user?.name ?? '',
    verb,
    path,
    namespace: target === undefined ? '' : namespaceOf(target),
    name,
    version,
    resource,
    subresource,
  };
}

/** Converts a time of the thread's monotonic clock to the time of day. */
function timeOf(at: number): number {
  return performance.timeOrigin + at;
}
