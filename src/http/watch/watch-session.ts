import type { Clock } from '../../meta/clock.ts';
import { type Status, StatusError } from '../../meta/status-error.ts';
import type { Verbs, WatchStream } from '../../registry/index.ts';
import type { Exchange } from '../exchange.ts';
import { headersOf } from '../render.ts';
import type { Bookmark } from '../representations/representation.ts';
import { requestsWebSocket, webSocketStream } from '../web-socket.ts';
import { FramedWatchOutput } from './framed-watch-output.ts';
import type { OpenWatches } from './open-watches.ts';
import type { WatchFormat } from './watch-format.ts';
import type { TypeWatchMetrics } from './watch-metrics.ts';
import type { WatchOutput } from './watch-output.ts';
import { WatchSchedule } from './watch-schedule.ts';
import { WatchWriter } from './watch-writer.ts';

type Watch = NonNullable<Verbs['watch']>;
type WatchParameters = Omit<Parameters<Watch>[0], 'inTurns' | 'onWait' | 'onEvent' | 'onError' | 'onEnd' | 'signal'>;

/** Shared, because creating an error costs more than everything else at the end of a watch. */
const watchEnded = new Error('the watch has ended');
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

export interface WatchSessionOptions {
  readonly exchange: Exchange;
  /** The type of the watched objects. */
  readonly type: { readonly kind: string; readonly apiVersion: string };
  readonly format: WatchFormat;
  /** The media type of the response. */
  readonly mediaType: string;
  readonly isBinary: boolean;
  /** Whether a watch whose version has expired gets an HTTP error. Otherwise it gets an event in a stream. */
  readonly refusesExpired: boolean;
  readonly bookmarks: boolean;
  readonly seconds: number;
  readonly open: OpenWatches;
  readonly clock: Clock;
  /** Undefined when there is no stage between the watch and its client. */
  readonly intercept?: ((output: WatchOutput) => WatchOutput) | undefined;
  /** Undefined when metrics are off. */
  readonly metrics?: TypeWatchMetrics | undefined;
  /** Called when the state with which the watch begins has been sent. */
  readonly onInitialState?: ((duration: TypeWatchMetrics['initialDuration']) => void) | undefined;
  /** Called for faults of the server. */
  readonly report: (error: Error, request: string) => void;
}

/** Runs one watch from its request to the end of its stream. */
export class WatchSession {
  readonly #options: WatchSessionOptions;
  readonly #stop = new AbortController();
  // The stream is opened by the first write, so that a watch rejected before it still gets an HTTP status.
  #output: WatchOutput | undefined = undefined;
  #schedule: WatchSchedule | undefined = undefined;
  /** Delivers pending events, see `WatchRequest`. */
  #progress: WatchStream['progress'] | undefined = undefined;

  constructor(options: WatchSessionOptions) {
    this.#options = options;
  }

  /** Resolves when the stream continues without the handler. Rejects with the error to respond with. */
  async run(watch: Watch, parameters: WatchParameters): Promise<void> {
    const { exchange, open } = this.#options;
    exchange.signal.addEventListener('abort', () => this.#guard(() => this.end()), { once: true });
    open.add(this);
    this.#stop.signal.addEventListener('abort', () => this.#leave(), { once: true });
    if (open.stopped) this.end();
    let stream: WatchStream;
    try {
      stream = await watch({
        ...parameters,
        signal: this.#stop.signal,
        // In-process readers may rely on the events that they have read.
        inTurns: exchange.eventReader === undefined,
        onWait: () => void this.#opened(),
        onEvent: (event) => this.#opened().send(event),
        onError: (error) => this.#fail(error),
        onEnd: () => this.#guard(() => this.end()),
      });
    } catch (error) {
      this.#refuse(error);
      return;
    }
    await this.#follow(stream);
  }

  /** Ends the stream after the events that have been sent. */
  end(): void {
    this.#progress?.();
    this.#stop.abort(watchEnded);
    // A client that still waits for its response gets an empty stream, and reconnects.
    if (!this.#options.exchange.signal.aborted) this.#opened().end();
    else this.#output?.end();
  }

  fail(error: Error): void {
    this.#fail(error);
  }

  /** A watch that has not started has nothing to send. */
  get isBehind(): boolean {
    this.#progress?.();
    return this.#output?.isBehind ?? false;
  }

  get userAgent(): string {
    return this.#options.exchange.header('user-agent') ?? '';
  }

  async #follow(stream: WatchStream): Promise<void> {
    const output = this.#opened();
    if (this.#stop.signal.aborted) return;
    const { bookmarks, seconds, clock } = this.#options;
    // Do not keep a reference to the stream: its backlog should be freed once it is written.
    const { progress, initialVersion } = stream;
    this.#progress = progress;
    this.#schedule = new WatchSchedule({
      seconds,
      clock,
      onBookmark: bookmarks ? () => this.#guard(() => this.#bookmark(progress())) : undefined,
      onEnd: () => this.#guard(() => this.end()),
    });
    try {
      await output.writeBacklog(stream.backlog);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#fail(error as Error);
      return;
    }
    const marked = bookmarks && initialVersion !== undefined;
    const { metrics, onInitialState } = this.#options;
    if (marked && metrics !== undefined) onInitialState?.(metrics.initialDuration);
    output.goLive(marked ? this.#bookmarkAt(initialVersion, initialEventsEnd) : undefined);
  }

  #opened(): WatchOutput {
    if (this.#output === undefined) {
      const { exchange, intercept } = this.#options;
      const onEnd = (): void => this.#stop.abort(watchEnded);
      const output = exchange.eventReader?.accept({ onEnd }) ?? this.#framed();
      this.#output = intercept === undefined ? output : intercept(output);
    }
    return this.#output;
  }

  #framed(): WatchOutput {
    const { exchange, mediaType, isBinary, format, metrics } = this.#options;
    const oneByOne = requestsWebSocket(exchange);
    const stream = oneByOne
      ? webSocketStream(exchange, { binary: isBinary })
      : exchange.respondStream(200, headersOf(exchange, mediaType));
    const onEnd = (): void => this.#stop.abort(watchEnded);
    const onSlow = (): void => metrics?.terminated.add();
    const writer = new WatchWriter(stream, { oneByOne, onEnd, onSlow, cut: () => exchange.abort() });
    return new FramedWatchOutput({ format, writer, oneByOne, metrics });
  }

  /** Before the stream is open the client gets a Status response, later an ERROR event. */
  #refuse(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const isEvent = !this.#options.refusesExpired && isExpired(error);
    if (this.#output === undefined && !isEvent) {
      this.#stop.abort(watchEnded);
      throw error;
    }
    this.#fail(error as Error);
  }

  #fail(error: Error): void {
    this.#guard(() => this.#opened().end(statusOf(error)));
    this.#stop.abort(watchEnded);
  }

  /** Callbacks of timers and signals have no caller to throw to. An error in them ends this stream only. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#options.report(error as Error, `${this.#options.exchange.method} ${this.#options.exchange.path}`);
      this.#stop.abort(watchEnded);
      this.#options.exchange.abort();
    }
  }

  #bookmark(version: string | undefined): void {
    if (version !== undefined) this.#output?.sendBookmark(this.#bookmarkAt(version));
  }

  #bookmarkAt(resourceVersion: string, annotations?: Record<string, string>): Bookmark {
    return { ...this.#options.type, metadata: { resourceVersion, ...(annotations && { annotations }) } };
  }

  #leave(): void {
    this.#schedule?.stop();
    this.#progress = undefined;
    this.#options.open.delete(this);
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.status.reason === 'Expired';
}

function statusOf(error: Error): Status {
  if (error instanceof StatusError) return error.status;
  return new StatusError({ code: 500, reason: 'InternalError', message: error.message }, { cause: error }).status;
}
