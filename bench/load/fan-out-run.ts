import { setTimeout as delay } from 'node:timers/promises';
import { CountableTransport } from './countable-transport.ts';
import { Http2Connection } from './http2-connection.ts';
import type { LoadConnection } from './load-connection.ts';
import type { Target } from './load-plan.ts';
import { Tally } from './tally.ts';
import { WatchConnection } from './watch-connection.ts';
import type { FanOutPlan, FanOutResult } from './watch-plans.ts';

/** What is only counted is never returned to a window. */
const countedWindows = { stream: 2 ** 31 - 1, connection: 2 ** 31 - 1 };
/** A connection on which nothing has arrived for this time has received everything. */
const quietMs = 50;
/** The bytes of frame headers, relative to those of events. */
const maxOverhead = 0.02;

/** Opens the watches, writes until the time is up and closes them. Resolves when no event is in flight. */
export async function runFanOut(target: Target, plan: FanOutPlan): Promise<FanOutResult> {
  const { path, connections, streams } = plan.watch;
  const run = new FanOutRun(plan);
  const onError = (error: Error) => run.fail(error);
  const watch = { target, path, watches: streams, onError };
  let serial = 0;
  const open: { close(): void }[] = [];
  try {
    const reader = await WatchConnection.open({ ...watch, onEvent: (nth) => run.onEvent(nth) });
    open.push(reader);
    // One connection reads its events. The others receive the same ones, so counting their bytes is enough.
    const opened = Array.from({ length: connections - 1 }, async () => {
      const transport = await CountableTransport.open(target);
      const connection = await WatchConnection.open({ ...watch, transport, windows: countedWindows });
      return { transport, connection };
    });
    for (const { transport, connection } of await Promise.all(opened)) {
      open.push(connection);
      transport.count(run.countBytes());
    }
    const writer = await Http2Connection.open({
      target,
      request: plan.write,
      nextSerial: () => serial++,
      onResponse: () => run.onResponse(),
      onError,
    });
    open.push(writer);
    return await run.run(writer, reader);
  } finally {
    for (const connection of open) connection.close();
  }
}

/** A connection whose bytes are counted. */
interface Counted {
  bytes: number;
  /** What it has to receive until the events that the reader has are complete, at least. */
  events: number;
}

class FanOutRun {
  readonly #plan: FanOutPlan;
  readonly #watchers: number;
  readonly #tally: Tally;
  readonly #failed = Promise.withResolvers<never>();
  readonly #counted: Counted[] = [];
  /** The number of watches of the reader that have received each event, by event number. */
  readonly #received: number[] = [];
  readonly #writtenAt: number[] = [];
  #writer!: LoadConnection;
  #reader!: WatchConnection;
  /** Events of all watches of the reader. */
  #readEvents = 0;
  #responses = 0;
  #delivered = 0;
  #lastByteAt = 0;
  #writeUntil = 0;
  #onAllDelivered = () => {};

  constructor(plan: FanOutPlan) {
    this.#plan = plan;
    this.#tally = new Tally(plan.pid);
    this.#watchers = plan.watch.connections * plan.watch.streams;
    // Nothing awaits this promise before `run`. Until then, errors surface where the connections are opened.
    this.#failed.promise.catch(() => {});
  }

  async run(writer: LoadConnection, reader: WatchConnection): Promise<FanOutResult> {
    this.#writer = writer;
    this.#reader = reader;
    await this.#write(this.#plan.rampSeconds);
    this.#tally.begin(performance.now());
    await this.#write(this.#plan.seconds);
    const { requests, bodyBytes, ...result } = this.#tally.end(this.#lastByteAt);
    // Each delivery is that of one event to all watchers.
    const { clientMicros, cpuMicrosPerRequest, mainMicrosPerRequest } = result;
    return {
      ...result,
      requests: requests * this.#watchers,
      bodyBytes: requests * this.#watchers * this.#eventBytes,
      clientMicros: clientMicros / this.#watchers,
      cpuMicrosPerRequest: cpuMicrosPerRequest / this.#watchers,
      mainMicrosPerRequest: mainMicrosPerRequest / this.#watchers,
    };
  }

  fail(error: Error): void {
    this.#failed.reject(error);
  }

  onResponse(): void {
    this.#responses++;
    this.#checkDelivered();
  }

  onEvent(nth: number): void {
    this.#lastByteAt = performance.now();
    this.#readEvents++;
    this.#received[nth] = (this.#received[nth] ?? 0) + 1;
    if (this.#received[nth] === this.#plan.watch.streams) this.#checkDelivered();
  }

  /** Adds a connection that counts. */
  countBytes(): (bytes: number) => void {
    const counted = { bytes: 0, events: 0 };
    this.#counted.push(counted);
    return (bytes) => {
      this.#lastByteAt = performance.now();
      counted.bytes += bytes;
      if (counted.bytes >= counted.events) this.#checkDelivered();
    };
  }

  /** All events have the same length, nearly: numbers in them may have a digit more. */
  get #eventBytes(): number {
    return this.#reader.bytes / this.#readEvents;
  }

  /** Writes for some time. Resolves when all watchers have received everything. */
  async #write(seconds: number): Promise<void> {
    const allDelivered = new Promise<void>((resolve) => {
      this.#onAllDelivered = resolve;
    });
    this.#writeUntil = performance.now() + seconds * 1000;
    for (let write = 0; write < this.#plan.outstanding; write++) this.#writeOnce();
    await Promise.race([allDelivered, this.#failed.promise]);
    // Frame headers are not known, so the last events may still be on their way when the bytes of events are there.
    while (performance.now() - this.#lastByteAt < quietMs) await delay(quietMs);
    this.#checkCounts();
  }

  #writeOnce(): void {
    this.#writtenAt.push(performance.now());
    this.#writer.start();
  }

  /** All watchers receive the events in the same order, so the nth event is the same one for each. */
  #checkDelivered(): void {
    const { streams } = this.#plan.watch;
    while (this.#received[this.#delivered + 1] === streams && this.#haveCounted(this.#delivered + 1)) {
      const writtenAt = this.#writtenAt[this.#delivered++]!;
      const now = performance.now();
      if (this.#tally.begun) this.#tally.count(now - writtenAt, 0);
      if (now < this.#writeUntil) this.#writeOnce();
    }
    const writes = this.#writtenAt.length;
    if (this.#responses === writes && this.#delivered === writes) this.#onAllDelivered();
  }

  #haveCounted(nth: number): boolean {
    const least = nth * this.#plan.watch.streams * this.#eventBytes;
    return this.#counted.every((counted) => {
      counted.events = least;
      return counted.bytes >= least;
    });
  }

  #checkCounts(): void {
    const most = this.#delivered * this.#plan.watch.streams * this.#eventBytes * (1 + maxOverhead);
    if (this.#counted.some(({ bytes }) => bytes > most)) {
      throw new Error('a connection received more than the events that were written');
    }
  }
}
