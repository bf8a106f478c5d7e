import type { TLSSocket } from 'node:tls';
import { BodyReader } from './http1-body.ts';
import { type LoadConnection, type LoadConnectionOptions, openSocket, refused } from './load-connection.ts';
import { jsonType } from './load-plan.ts';
import { SerialSlots } from './serial-slots.ts';

/** One HTTP/1.1 keep-alive connection with one request in flight. */
export class Http1Connection implements LoadConnection {
  readonly #options: LoadConnectionOptions;
  readonly #template: Buffer;
  readonly #slots: SerialSlots;
  #socket!: TLSSocket;
  #closed = false;
  #startedAt = 0;
  /** The bytes of an incomplete response head. */
  #head = '';
  #status = 0;
  #body: BodyReader | undefined;

  private constructor(options: LoadConnectionOptions) {
    this.#options = options;
    this.#template = requestBytes(options);
    this.#slots = new SerialSlots(this.#template, options.serialsBelow);
  }

  static async open(options: LoadConnectionOptions): Promise<Http1Connection> {
    const connection = new Http1Connection(options);
    connection.#socket = await openSocket({
      target: options.target,
      protocol: 'http/1.1',
      slowReading: options.slowReading,
      onBytes: (bytes) => connection.#read(bytes),
      onError: (error) => connection.#fail(error),
    });
    return connection;
  }

  start(): void {
    this.#startedAt = performance.now();
    const request = Buffer.from(this.#template);
    this.#slots.fill(request, this.#options.nextSerial);
    this.#socket.write(request);
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    if (!this.#closed) this.#options.onError(error);
  }

  #read(bytes: Buffer): void {
    let at = 0;
    if (!this.#body) {
      // Heads are short and nearly always arrive complete, together with the start of the body.
      const seen = this.#head.length;
      const text = this.#head + bytes.toString('latin1', 0, Math.min(bytes.length, 16 * 1024));
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) {
        this.#head = text;
        return;
      }
      this.#head = '';
      at = end + 4 - seen;
      const head = text.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      this.#body = new BodyReader(head, this.#status);
    }
    this.#body.read(bytes.subarray(at));
    if (this.#body.done) this.#finish(this.#body);
  }

  #finish(body: BodyReader): void {
    this.#body = undefined;
    if (this.#status >= 300) this.#fail(refused(this.#status, body.kept));
    else this.#options.onResponse(this, { startedAt: this.#startedAt, bodyBytes: body.length });
  }
}

function requestBytes({ target, request }: LoadConnectionOptions): Buffer {
  const head = [
    `${request.method} ${request.path} HTTP/1.1`,
    `host: ${target.host}:${target.port}`,
    `accept: ${request.accept ?? jsonType}`,
    'user-agent: keelson-bench',
  ];
  if (target.token !== undefined) head.push(`authorization: Bearer ${target.token}`);
  if (request.body !== undefined) {
    const { body, contentType = jsonType } = request;
    head.push(`content-type: ${contentType}`, `content-length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${request.body ?? ''}`);
}
