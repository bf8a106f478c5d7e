import type { PathHandler } from '../../http/api-route.ts';
import type { Exchange } from '../../http/exchange.ts';
import { textHeaders } from '../../http/render.ts';
import type { FlowState, LevelState, QueueState, RequestState } from './flow-state.ts';

const root = '/debug/api_priority_and_fairness/';
/** A level may have millions of queues. Of such a level, only those in use are shown. */
const maxShownQueues = 1000;
/** The assumed duration of a request, in seconds. */
const expectedSeconds = 0.003;
const minColumnWidth = 8;
const separator = ', ';

/** Shows administrators the current state of flow control, in the tables of kube-apiserver. */
export class DebugPages implements PathHandler {
  readonly #state: () => Promise<FlowState>;

  /** `state` returns the state of all threads. */
  constructor(state: () => Promise<FlowState>) {
    this.#state = state;
  }

  get paths(): string[] {
    return [...pages.keys()];
  }

  handle(exchange: Exchange, path: string): Promise<void> | false {
    const page = pages.get(path);
    return page === undefined ? false : this.#respond(exchange, page);
  }

  async #respond(exchange: Exchange, page: Page): Promise<void> {
    const state = await this.#state();
    // The deadline may have responded meanwhile.
    if (exchange.responded) return;
    exchange.respond(200, textHeaders(exchange), textTable(page(state, new URLSearchParams(exchange.query))));
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

type Page = (state: FlowState, query: URLSearchParams) => string[][];

const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  [`${root}dump_priority_levels`, ({ levels }) => [levelColumns, ...levels.map(levelCells)]],
  [`${root}dump_queues`, ({ levels }) => [queueColumns, ...levels.flatMap(queuesOf)]],
  [`${root}dump_requests`, requestsPage],
]);

function levelCells(level: LevelState): string[] {
  return [
    level.name,
    [...level.queues.values()].filter(({ length, executing }) => length > 0 || executing > 0).length,
    level.isIdle,
    level.isQuiescing,
    level.waiting,
    level.executing,
    level.dispatched,
    level.rejected,
    level.timedOut,
    level.cancelled,
  ].map(String);
}

function queuesOf({ name, queueCount, queues }: LevelState): string[][] {
  const indexes = queueCount > maxShownQueues ? [] : Array.from({ length: queueCount }, (_, index) => index);
  const shown = [...new Set([...indexes, ...queues.keys()])].sort((a, b) => a - b);
  return shown.map((index) => [name, String(index), ...queueCells(queues.get(index))]);
}

function queueCells(queue: QueueState | undefined): string[] {
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

function requestsPage({ requests }: FlowState, query: URLSearchParams): string[][] {
  const withDetails = isTrue(query.get('includeRequestDetails'));
  const rows = requests.toSorted(byLevel).map((request) => [
    request.level,
    request.schema,
    String(request.queue ?? -1),
    String(request.indexInQueue ?? -1),
    request.distinguisher,
    new Date(request.arrivedAt).toISOString(),
    String(request.seats),
    '0',
    '0s',
    // A request that waits has the zero time of Go.
    request.startedAt === undefined ? '0001-01-01T00:00:00Z' : new Date(request.startedAt).toISOString(),
    ...(withDetails ? detailsOf(request) : []),
  ]);
  return [withDetails ? [...requestColumns, ...detailColumns] : requestColumns, ...rows];
}

function detailsOf({ user, verb, path, namespace, name, version, resource, subresource }: RequestState): string[] {
  return [user, verb, path, namespace, name, version, resource, subresource];
}

function isTrue(value: string | null): boolean {
  return value === '1' || value === 'true';
}

function byLevel(a: RequestState, b: RequestState): number {
  return a.level === b.level ? a.arrivedAt - b.arrivedAt : a.level < b.level ? -1 : 1;
}

/** Formats the rows in columns of equal width, with cells separated by commas. */
function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries())
      widths[at] = Math.max(widths[at] ?? minColumnWidth, cell.length + separator.length);
  }
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === row.length - 1 ? cell : `${cell},`.padEnd(widths[at]!))).join('');
  return rows.map((row) => `${line(row)}\n`).join('');
}
