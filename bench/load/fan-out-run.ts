import { Http2Connection } from './http2-connection.ts';
import type { LoadConnection } from './load-connection.ts';
import type { Target } from './load-plan.ts';
import { Tally } from './tally.ts';
import { WatchConnection } from './watch-connection.ts';
import type { FanOutPlan, FanOutResult } from './watch-plans.ts';

/** Opens the watches, writes until the time is up and closes them. Resolves when no event is in flight. */
export async function runFanOut(target: Target, plan: FanOutPlan): Promise<FanOutResult> {
  const { path, connections, streams } = plan.watch;
  const run = new FanOutRun(plan);
  const onError = (error: Error) => run.fail(error);
  let serial = 0;
  const open: { close(): void }[] = [];
  try {
    const watches = await Promise.all(
      Array.from({ length: connections }, () =>
        WatchConnection.open({ target, path, watches: streams, onEvent: (nth) => run.onEvent(nth), onError }),
      ),
    );
    open.push(...watches);
    const writer = await Http2Connection.open({
      target,
      request: plan.write,
      nextSerial: () => serial++,
      onResponse: () => run.onResponse(),
      onError,
    });
    open.push(writer);
    return await run.start(writer, watches);
  } finally {
    for (const connection of open) connection.close();
  }
}

class FanOutRun {
  readonly #plan: FanOutPlan;
  readonly #watchers: number;
  readonly #tally: Tally;
  readonly #finished = Promise.withResolvers<FanOutResult>();
  /** The number of watchers that have received each event, by event number. */
  readonly #received: number[] = [];
  readonly #writtenAt: number[] = [];
  #writer!: LoadConnection;
  #watches: readonly WatchConnection[] = [];
  #result: FanOutResult | undefined;
  #responded = 0;
  #delivered = 0;
  #measureFrom = 0;

  constructor(plan: FanOutPlan) {
    this.#plan = plan;
    this.#tally = new Tally(plan.pid);
    this.#watchers = plan.watch.connections * plan.watch.streams;
    // Nothing awaits this promise before `start`. Until then, errors surface where the connections are opened.
    this.#finished.promise.catch(() => {});
  }

  start(writer: LoadConnection, watches: readonly WatchConnection[]): Promise<FanOutResult> {
    this.#writer = writer;
    this.#watches = watches;
    this.#measureFrom = performance.now() + this.#plan.rampSeconds * 1000;
    for (let write = 0; write < this.#plan.outstanding; write++) this.#write();
    return this.#finished.promise;
  }

  fail(error: Error): void {
    this.#finished.reject(error);
  }

  onResponse(): void {
    this.#responded++;
    this.#finishWhenQuiet();
  }

  onEvent(nth: number): void {
    const received = (this.#received[nth] ?? 0) + 1;
    this.#received[nth] = received;
    if (received === this.#watchers) this.#onDelivered(nth);
  }

  #write(): void {
    this.#writtenAt.push(performance.now());
    this.#writer.start();
  }

  /** All watchers receive the events in the same order, so the nth event is the same one for each. */
  #onDelivered(nth: number): void {
    const now = performance.now();
    this.#delivered++;
    if (!this.#result) {
      // The measurement starts and ends with a delivery, so that it covers whole events.
      if (this.#tally.begun) this.#tally.count(now - this.#writtenAt[nth - 1]!, 0);
      else if (now >= this.#measureFrom) this.#tally.begin(now);
      // The time counts from the first delivery: with many watchers, several events arrive together.
      const isOver = this.#tally.begun && now >= this.#tally.beganAt + this.#plan.seconds * 1000;
      if (isOver && this.#tally.requests > 0) this.#end(now);
    }
    if (!this.#result) this.#write();
    this.#finishWhenQuiet();
  }

  /** Each delivery is that of one event to all watchers. */
  #end(now: number): void {
    const result = this.#tally.end(now);
    this.#result = {
      ...result,
      requests: result.requests * this.#watchers,
      clientMicros: result.clientMicros / this.#watchers,
      cpuMicrosPerRequest: result.cpuMicrosPerRequest / this.#watchers,
      mainMicrosPerRequest: result.mainMicrosPerRequest / this.#watchers,
    };
  }

  #finishWhenQuiet(): void {
    const writes = this.#writtenAt.length;
    if (!this.#result || this.#responded < writes || this.#delivered < writes) return;
    // At this point no event is partially received, and all events have about the same length.
    const bytes = this.#watches.reduce((sum, connection) => sum + connection.bytes, 0);
    const eventBytes = bytes / (writes * this.#watchers);
    this.#finished.resolve({ ...this.#result, bodyBytes: this.#result.requests * eventBytes });
  }
}
