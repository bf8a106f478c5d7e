import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent, WatchStream } from '../../registry/index.ts';
import type { Bookmark } from '../representations/representation.ts';
import type { WatchFormat } from './watch-format.ts';
import type { TypeWatchMetrics } from './watch-metrics.ts';
import type { WatchOutput } from './watch-output.ts';
import type { WatchWriter } from './watch-writer.ts';

export interface FramedWatchOutputOptions {
  readonly format: WatchFormat;
  readonly writer: WatchWriter;
  /** Whether every frame is written separately. */
  readonly oneByOne: boolean;
  /** Undefined when metrics are off. */
  readonly metrics?: TypeWatchMetrics | undefined;
}

/** Sends a watch as bytes. */
export class FramedWatchOutput implements WatchOutput {
  readonly #format: WatchFormat;
  readonly #writer: WatchWriter;
  readonly #oneByOne: boolean;
  readonly #metrics: TypeWatchMetrics | undefined;

  constructor({ format, writer, oneByOne, metrics }: FramedWatchOutputOptions) {
    this.#metrics = metrics;
    this.#format = format;
    this.#writer = writer;
    this.#oneByOne = oneByOne;
  }

  get isBehind(): boolean {
    return this.#writer.isBehind;
  }

  writeBacklog(backlog: WatchStream['backlog']): Promise<void> {
    return this.#writer.writeBacklog(this.#chunks(backlog));
  }

  goLive(last?: Bookmark): void {
    const frame = last && this.#format.bookmark(last);
    this.#format.goLive();
    this.#writer.goLive(frame);
  }

  send(event: WatchEvent): void {
    const frame = this.#format.liveFrame(event);
    this.#metrics?.events.add();
    this.#metrics?.sizes.observe(frame.length);
    this.#writer.send(frame);
  }

  sendBookmark(bookmark: Bookmark): void {
    this.#writer.send(this.#format.bookmark(bookmark));
  }

  end(reason?: Status): void {
    this.#writer.end(reason && this.#format.error(reason));
  }

  async *#chunks(backlog: WatchStream['backlog']): AsyncGenerator<Buffer> {
    for await (const events of backlog) {
      this.#count(events);
      if (this.#oneByOne) yield* events.map((event) => this.#format.frame(event));
      else yield* this.#format.chunks(events);
    }
  }

  /** Counts the sizes of objects, because the frames of a backlog are joined. */
  #count(events: readonly WatchEvent[]): void {
    const metrics = this.#metrics;
    if (metrics === undefined) return;
    metrics.events.add(events.length);
    for (const { document } of events) metrics.sizes.observe(document.length);
  }
}
