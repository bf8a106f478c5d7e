import { definitionsPath } from '../fixtures/sample-definitions.ts';
import { encodeHeaders } from '../load/hpack.ts';
import { frame, frameFlag, frameType } from '../load/http2-frames.ts';
import { type Http2Handler, Http2Session } from '../load/http2-session.ts';
import { refused } from '../load/load-connection.ts';
import { jsonType, type Target } from '../load/load-plan.ts';

interface Sent {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  status: number;
  error: string;
  /** Bytes received but not yet returned to the stream's flow-control window. */
  unacknowledged: number;
}

interface Content {
  readonly bytes: Buffer;
  readonly type: string;
}

const noContent: Content = { bytes: Buffer.alloc(0), type: jsonType };
/** Every server accepts frames of this size. */
const maxFrameBytes = 16_384;
const lineFeed = 10;
const established = Buffer.from('"reason":"InitialNamesAccepted"');
const nameBefore = Buffer.from('"metadata":{"name":"');
const quote = 0x22;

/**
 * Creates and changes definitions, and learns from a watch when their types are served. It searches the events instead
 * of parsing them, because it shares the CPU with the server.
 */
export class DefinitionClient implements Http2Handler {
  readonly #target: Target;
  readonly #sent = new Map<number, Sent>();
  /** Definitions that are not established yet, by name. */
  readonly #waiting = new Map<string, () => void>();
  #session!: Http2Session;
  #watch = 0;
  #unacknowledged = 0;
  /** Requests that wait for space in the server's flow-control window. */
  #unsent: (() => void)[] = [];
  /** The first parts of an incomplete event. */
  #event: Buffer[] = [];

  private constructor(target: Target) {
    this.#target = target;
  }

  static async open(target: Target): Promise<DefinitionClient> {
    const client = new DefinitionClient(target);
    client.#session = await Http2Session.open({ target, handler: client });
    client.#watch = client.#request('GET', `${definitionsPath}?watch=1`)!;
    return client;
  }

  /** Returns the milliseconds from sending the definition to the event that reports it established. */
  async establish(name: string, body: string): Promise<number> {
    const reported = new Promise<void>((resolve) => this.#waiting.set(name, resolve));
    const startedAt = performance.now();
    await Promise.all([this.send('POST', definitionsPath, { body }), reported]);
    return performance.now() - startedAt;
  }

  /** Resolves with the end of the response, which is not kept. */
  send(
    method: string,
    path: string,
    { body = '', contentType = jsonType }: { body?: string; contentType?: string } = {},
  ): Promise<void> {
    const content = { bytes: Buffer.from(body), type: contentType };
    return new Promise((resolve, reject) => {
      const attempt = (): void => {
        const stream = this.#request(method, path, content);
        if (stream === undefined) this.#unsent.push(attempt);
        else this.#sent.set(stream, { resolve, reject, status: 0, error: '', unacknowledged: 0 });
      };
      attempt();
    });
  }

  close(): void {
    this.#session.close();
  }

  onWindow(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    for (const attempt of unsent) attempt();
  }

  onError(error: Error): void {
    for (const { reject } of this.#sent.values()) reject(error);
    this.#sent.clear();
  }

  onHeaders(stream: number, flags: number, status: number): void {
    const sent = this.#sent.get(stream);
    if (sent === undefined) return;
    sent.status ||= status;
    if (flags & frameFlag.endStream) this.#finish(stream, sent);
  }

  onData(stream: number, flags: number, payload: Buffer): void {
    if (stream === this.#watch) {
      this.#unacknowledged = this.#session.returnCredit(stream, this.#unacknowledged + payload.length);
      this.#readEvents(payload);
      return;
    }
    const sent = this.#sent.get(stream);
    if (sent === undefined) return;
    if (sent.status >= 300) sent.error += payload.toString();
    if (flags & frameFlag.endStream) this.#finish(stream, sent);
    else sent.unacknowledged = this.#session.returnCredit(stream, sent.unacknowledged + payload.length);
  }

  #finish(stream: number, { resolve, reject, status, error }: Sent): void {
    this.#sent.delete(stream);
    if (status < 300) resolve();
    else reject(refused(status, error));
  }

  /** Undefined when the window is too small for the content. */
  #request(method: string, path: string, content: Content = noContent): number | undefined {
    const { bytes, type } = content;
    const stream = this.#session.newStream(bytes.length);
    if (stream === undefined) return undefined;
    const { host, port } = this.#target;
    const hasBody = bytes.length > 0;
    const headers = encodeHeaders({
      ':method': method,
      ':scheme': 'https',
      ':authority': `${host}:${port}`,
      ':path': path,
      accept: jsonType,
      ...(hasBody && { 'content-type': type }),
    });
    const flags = frameFlag.endHeaders | (hasBody ? 0 : frameFlag.endStream);
    const frames = [frame({ type: frameType.headers, flags, stream }, headers)];
    for (let at = 0; at < bytes.length; at += maxFrameBytes) {
      const chunk = bytes.subarray(at, at + maxFrameBytes);
      const isLast = at + chunk.length === bytes.length;
      frames.push(frame({ type: frameType.data, flags: isLast ? frameFlag.endStream : 0, stream }, chunk));
    }
    this.#session.send(...frames);
    return stream;
  }

  #readEvents(payload: Buffer): void {
    let from = 0;
    for (let end = payload.indexOf(lineFeed); end >= 0; end = payload.indexOf(lineFeed, from)) {
      this.#readEvent(Buffer.concat([...this.#event, payload.subarray(from, end)]));
      this.#event = [];
      from = end + 1;
    }
    // A copy, because the payload is valid only during the call.
    this.#event.push(Buffer.from(payload.subarray(from)));
  }

  #readEvent(event: Buffer): void {
    if (!event.includes(established)) return;
    const from = event.indexOf(nameBefore) + nameBefore.length;
    const name = event.toString('latin1', from, event.indexOf(quote, from));
    this.#waiting.get(name)?.();
    this.#waiting.delete(name);
  }
}
