import type { Client } from '@grpc/grpc-js';
import { type Attributes, encodeSpans } from './otlp-message.ts';
import type { Span } from './span.ts';

const method = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const maxWaiting = 2048;
const batchSize = 512;
const intervalMs = 5000;
const defaultTimeoutMs = 10_000;
/** How long a server that stops waits for the collector. */
const closeMs = 3_000;

export interface SpanExporterOptions {
  readonly endpoint: string;
  /** Describes this server in all traces. */
  readonly resource: Attributes;
  /** The timeout of one batch. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Called when a batch could not be sent. Its spans are lost. */
  readonly onError: (error: Error) => void;
}

/** Sends spans to a collector in batches. Spans beyond the buffer are dropped: tracing must not slow requests down. */
export interface SpanExporter {
  add(spans: readonly Span[]): void;
  /** Sends the waiting spans, if the collector takes them soon, and closes the connection. */
  close(): Promise<void>;
}

/** Does not connect before the first batch. The library is loaded on demand, because few servers are traced. */
export async function openSpanExporter(options: SpanExporterOptions): Promise<SpanExporter> {
  const { Client, credentials, Metadata } = await import('@grpc/grpc-js');
  const client: Client = new Client(options.endpoint, credentials.createInsecure());
  const { timeoutMs = defaultTimeoutMs } = options;
  const send = (bytes: Buffer, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = (): void => call.cancel();
      const call = client.makeUnaryRequest(
        method,
        (message: Buffer) => message,
        () => undefined,
        bytes,
        new Metadata(),
        { deadline: Date.now() + timeoutMs },
        (error) => {
          signal.removeEventListener('abort', cancel);
          if (error === null) resolve();
          else reject(error);
        },
      );
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel);
    });
  return new BatchExporter(options, { send, disconnect: () => client.close() });
}

interface Connection {
  readonly send: (bytes: Buffer, signal: AbortSignal) => Promise<void>;
  readonly disconnect: () => void;
}

class BatchExporter implements SpanExporter {
  readonly #options: SpanExporterOptions;
  readonly #connection: Connection;
  readonly #closing = new AbortController();
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: SpanExporterOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
  }

  add(spans: readonly Span[]): void {
    if (this.#waiting.length + spans.length > maxWaiting) return;
    this.#waiting.push(...spans);
    if (this.#waiting.length >= batchSize) void this.#flush();
    else this.#timer ??= setTimeout(() => void this.#flush(), intervalMs).unref();
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), closeMs);
    await this.#flush();
    clearTimeout(timer);
    this.#connection.disconnect();
  }

  /** Sends one batch at a time. */
  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSize);
      this.#waiting = this.#waiting.slice(batchSize);
      try {
        await this.#connection.send(encodeSpans(batch, this.#options.resource), this.#closing.signal);
      } catch (error) {
        this.#options.onError(error as Error);
        return;
      }
    }
  }
}
