import { Http1Connection } from './http1-connection.ts';
import { Http2Connection } from './http2-connection.ts';
import type { LoadConnection, LoadResponse } from './load-connection.ts';
import type { LoadPlan, LoadResult, Target } from './load-plan.ts';
import { Tally } from './tally.ts';

/** Its multiples are evenly distributed modulo 1. */
const goldenRatio = (1 + Math.sqrt(5)) / 2;

/** Runs one plan on new connections. Resolves when every request that was sent has been answered. */
export async function runLoad(target: Target, plan: LoadPlan): Promise<LoadResult> {
  const run = new LoadRun(plan);
  const open = plan.protocol === 'h2' ? Http2Connection.open : Http1Connection.open;
  let count = 0;
  const options = {
    target,
    request: plan.request,
    slowReading: plan.slowReading,
    serialsBelow: plan.serialsBelow,
    nextSerial: () => count++,
    onError: (error: Error) => run.fail(error),
    onResponse: (connection: LoadConnection, response: LoadResponse) => run.onResponse(connection, response),
  };
  const connections = await Promise.all(Array.from({ length: plan.connections }, () => open(options)));
  try {
    return await run.start(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Keeps the planned number of requests in flight, or the planned pace, until the plan's limit is reached. */
class LoadRun {
  readonly #plan: LoadPlan;
  readonly #tally: Tally;
  readonly #finished = Promise.withResolvers<LoadResult>();
  #result: Omit<LoadResult, 'allRequests'> | undefined;
  #started = 0;
  #inFlight = 0;
  #measureFrom = 0;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#tally = new Tally(plan.pid);
  }

  start(connections: readonly LoadConnection[]): Promise<LoadResult> {
    const { limit, pace, streams } = this.#plan;
    const now = performance.now();
    if ('requests' in limit) this.#tally.begin(now);
    else this.#measureFrom = now + limit.rampSeconds * 1000;
    if (pace !== undefined) {
      this.#startInTurn(connections, 1000 / pace);
      return this.#finished.promise;
    }
    for (let stream = 0; stream < streams; stream++) {
      for (const connection of connections) this.#startOn(connection);
    }
    return this.#finished.promise;
  }

  fail(error: Error): void {
    this.#finished.reject(error);
  }

  onResponse(connection: LoadConnection, { startedAt, bodyBytes }: LoadResponse): void {
    const now = performance.now();
    this.#inFlight--;
    if (!this.#result) {
      // A timed run starts and ends with a response, so that it covers whole requests.
      if (this.#tally.begun) this.#tally.count(now - startedAt, bodyBytes);
      else if (now >= this.#measureFrom) this.#tally.begin(now);
      if (this.#isOver(now)) this.#result = this.#tally.end(now);
    }
    if (this.#plan.pace === undefined) this.#startOn(connection);
    // Waits for requests in flight, so that the server does not process them during the other server's turn.
    if (this.#result && this.#inFlight === 0) this.#finished.resolve({ ...this.#result, allRequests: this.#started });
  }

  /** The intervals vary, so that requests do not coincide with other periodic work. */
  #startInTurn(connections: readonly LoadConnection[], interval: number): void {
    let due = performance.now();
    const startNext = (): void => {
      if (this.#result) return;
      this.#startOn(connections[this.#started % connections.length]!);
      due += interval * (0.5 + ((this.#started * goldenRatio) % 1));
      setTimeout(startNext, due - performance.now());
    };
    startNext();
  }

  #startOn(connection: LoadConnection): void {
    const { limit } = this.#plan;
    if (this.#result || ('requests' in limit && this.#started === limit.requests)) return;
    this.#started++;
    this.#inFlight++;
    connection.start();
  }

  #isOver(now: number): boolean {
    const { limit } = this.#plan;
    if ('requests' in limit) return this.#tally.requests === limit.requests;
    // The time counts from the first response: slow responses arrive together, and the time between two says nothing.
    return this.#tally.requests > 0 && now >= this.#tally.beganAt + limit.seconds * 1000;
  }
}
