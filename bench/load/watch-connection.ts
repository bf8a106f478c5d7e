import { frameFlag } from './http2-frames.ts';
import { Http2Request } from './http2-request.ts';
import { type Http2Handler, Http2Session, type Http2SessionOptions } from './http2-session.ts';
import { refused } from './load-connection.ts';

const lineFeed = 10;

export interface WatchConnectionOptions extends Pick<Http2SessionOptions, 'target' | 'transport' | 'windows'> {
  readonly path: string;
  /** The number of watches on the connection. */
  readonly watches: number;
  /** Called when a watch has received its nth event, counted from 1. */
  readonly onEvent?: (nth: number) => void;
  readonly onError: (error: Error) => void;
}

interface Watch {
  status: number;
  events: number;
  /** Bytes received but not yet returned to the stream's flow-control window. */
  unacknowledged: number;
}

/** One HTTP/2 connection with open watches. Events are counted by their newlines and never parsed. */
export class WatchConnection implements Http2Handler {
  readonly #options: WatchConnectionOptions;
  readonly #watches = new Map<number, Watch>();
  readonly #opened = Promise.withResolvers<void>();
  #session!: Http2Session;
  #unopened: number;
  #bytes = 0;

  private constructor(options: WatchConnectionOptions) {
    this.#options = options;
    this.#unopened = options.watches;
  }

  /** Resolves when the server has accepted every watch. */
  static async open(options: WatchConnectionOptions): Promise<WatchConnection> {
    const { target, path, watches, transport, windows } = options;
    const connection = new WatchConnection(options);
    connection.#session = await Http2Session.open({ target, transport, windows, handler: connection });
    const request = new Http2Request({ target, request: { method: 'GET', path } });
    const frames = Array.from({ length: watches }, () => {
      const stream = connection.#session.newStream(0)!;
      connection.#watches.set(stream, { status: 0, events: 0, unacknowledged: 0 });
      return request.make(stream, () => 0);
    });
    connection.#session.send(...frames);
    await connection.#opened.promise;
    return connection;
  }

  /** The number of bytes that all watches have received. */
  get bytes(): number {
    return this.#bytes;
  }

  close(): void {
    this.#session.close();
  }

  onWindow(): void {}

  onError(error: Error): void {
    this.#opened.reject(error);
    this.#options.onError(error);
  }

  onHeaders(stream: number, flags: number, status: number): void {
    const watch = this.#watches.get(stream);
    if (!watch) return;
    watch.status ||= status;
    if (flags & frameFlag.endStream) this.onError(new Error(`the server ended a watch, status ${watch.status}`));
    else if (watch.status < 300 && --this.#unopened === 0) this.#opened.resolve();
  }

  onData(stream: number, flags: number, payload: Buffer): void {
    const watch = this.#watches.get(stream);
    if (!watch) return;
    if (watch.status >= 300) this.onError(refused(watch.status, payload.toString()));
    else if (flags & frameFlag.endStream) this.onError(new Error('the server ended a watch'));
    this.#bytes += payload.length;
    watch.unacknowledged = this.#session.returnCredit(stream, watch.unacknowledged + payload.length);
    for (let at = payload.indexOf(lineFeed); at >= 0; at = payload.indexOf(lineFeed, at + 1)) {
      this.#options.onEvent?.(++watch.events);
    }
  }
}
