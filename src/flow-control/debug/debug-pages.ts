import type { PathHandler } from '../../http/api-route.ts';
import type { Exchange } from '../../http/exchange.ts';
import { textHeaders } from '../../http/render.ts';
import type { FlowControl } from '../flow-control.ts';
import type { PriorityLevel } from '../levels/priority-level.ts';
import { namespaceOf } from '../matching/rule-matches.ts';
import type { RequestQueue } from '../queues/fair-request.ts';
import type { RunningRequest, RunningRequests } from '../running-requests.ts';
import { textTable } from './text-table.ts';

const root = '/debug/api_priority_and_fairness/';
/** A level may have millions of queues. Of such a level, only those in use are shown. */
const maxShownQueues = 1000;
/** The assumed duration of a request, in seconds. */
const expectedSeconds = 0.003;

/** Shows administrators what flow control does at the moment, in the tables of kube-apiserver. */
export class DebugPages implements PathHandler {
  readonly #control: FlowControl;
  readonly #running: RunningRequests;
  readonly #pages: ReadonlyMap<string, (query: URLSearchParams) => string[][]>;

  constructor(control: FlowControl, running: RunningRequests) {
    this.#control = control;
    this.#running = running;
    this.#pages = new Map<string, (query: URLSearchParams) => string[][]>([
      [`${root}dump_priority_levels`, () => this.#levels()],
      [`${root}dump_queues`, () => this.#queues()],
      [`${root}dump_requests`, (query) => this.#requests(query)],
    ]);
  }

  get paths(): string[] {
    return [...this.#pages.keys()];
  }

  handle(exchange: Exchange, path: string): undefined | false {
    const page = this.#pages.get(path);
    if (page === undefined) return false;
    exchange.respond(200, textHeaders(exchange), textTable(page(new URLSearchParams(exchange.query))));
    return undefined;
  }

  #levels(): string[][] {
    return [
      levelColumns,
      ...this.#control.levels.map((level) =>
        [
          level.name,
          level.queues.activeQueues,
          level.isIdle,
          level.isQuiescing,
          level.queues.waiting,
          level.isExempt ? level.exempted : level.queues.executing,
          level.dispatched,
          level.rejected,
          level.timedOut,
          level.cancelled,
        ].map(String),
      ),
    ];
  }

  #queues(): string[][] {
    return [queueColumns, ...this.#control.levels.flatMap(queuesOf)];
  }

  #requests(query: URLSearchParams): string[][] {
    const withDetails = isTrue(query.get('includeRequestDetails'));
    const positions = new Map(
      this.#control.levels.flatMap(({ queues }) =>
        [...queues.queues].flatMap((queue) => [...queue].map((request, index) => [request, index] as const)),
      ),
    );
    const rows = [...this.#running].map((running) => {
      const { schema, request, context } = running;
      const { info, user } = context;
      const index = request && positions.get(request);
      const details = [user?.name ?? '', info.verb, info.path, ...targetOf(context.info.target)];
      return [
        schema.level.name,
        schema.name,
        String(request?.queue?.index ?? -1),
        String(index ?? -1),
        request?.flow.distinguisher ?? '',
        timeOf(running.arrivedAt),
        String(request?.seats ?? 1),
        '0',
        '0s',
        startOf(running),
        ...(withDetails ? details : []),
      ];
    });
    return [withDetails ? [...requestColumns, ...detailColumns] : requestColumns, ...rows.sort(byLevel)];
  }
}

const levelColumns = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

const queueColumns = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];

const requestColumns = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];

const detailColumns = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

function queuesOf({ name, queues: set }: PriorityLevel): string[][] {
  const used = new Map([...set.queues].map((queue) => [queue.index, queue]));
  const count = set.queuing?.queues ?? 0;
  const indexes = count > maxShownQueues ? [] : Array.from({ length: count }, (_, index) => index);
  const shown = [...new Set([...indexes, ...used.keys()])].sort((a, b) => a - b);
  return shown.map((index) => [name, String(index), ...queueCells(used.get(index))]);
}

function queueCells(queue: RequestQueue | undefined): string[] {
  const { length = 0, executing = 0, seatsInUse = 0, seatsWaiting = 0, nextStart = 0 } = queue ?? {};
  return [
    String(length),
    String(executing),
    String(seatsInUse),
    seatSeconds(nextStart / 1000),
    String(seatsWaiting),
    String(seatsWaiting),
    seatSeconds(seatsWaiting * expectedSeconds),
  ];
}

function seatSeconds(value: number): string {
  return `${value.toFixed(8)}ss`;
}

function targetOf(target: RunningRequest['context']['info']['target']): string[] {
  if (target === undefined) return ['', '', '', '', ''];
  const { name, version, resource, subresource } = target;
  return [namespaceOf(target), name, version, resource, subresource];
}

/** From the monotonic clock to the time of day. */
function timeOf(at: number): string {
  return new Date(performance.timeOrigin + at).toISOString();
}

/** A request that waits has the zero time of Go. */
function startOf({ request, arrivedAt }: RunningRequest): string {
  if (request === undefined) return timeOf(arrivedAt);
  return request.startedAt === undefined ? '0001-01-01T00:00:00Z' : timeOf(request.startedAt);
}

function isTrue(value: string | null): boolean {
  return value === '1' || value === 'true';
}

function byLevel(a: readonly string[], b: readonly string[]): number {
  return a[0]! < b[0]! ? -1 : a[0]! > b[0]! ? 1 : 0;
}
