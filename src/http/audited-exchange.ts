import type { Duplex, Readable } from 'node:stream';
import type { AuditRecord, AuditStatus, Captured } from '../audit/index.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { type ReadBody, readAuditedBody, type SchemaOf } from './audited-body.ts';
import { AuditedStream } from './audited-stream.ts';
import { type CaptureBudget, CapturedBytes } from './captured-bytes.ts';
import type { Connection, EventReader, Exchange, ResponseHeaders, ResponseStream, UpgradeOffer } from './exchange.ts';
import type { RequestContext } from './request-context.ts';
import type { WatchOutput, WatchOutputOptions } from './watch/watch-output.ts';

/** The maximum size of a response body in an audit event. */
const maxShown = 4 * 1024 * 1024;
/** Larger responses are not checked for being a Status. */
const maxStatusBytes = 64 * 1024;
const objectVerbs = new Set(['create', 'update']);

export interface AuditedExchangeOptions {
  readonly record: AuditRecord;
  readonly context: RequestContext;
  readonly schemaOf: SchemaOf;
  readonly budget: CaptureBudget;
  /** Whether the beginning of the response is a stage to be logged. */
  readonly isLongRunning: boolean;
  /** The reason why authentication failed. Then only the response is logged. */
  readonly refusal?: string;
}

interface AuditedResponse {
  readonly status: number;
  readonly body?: ReadBody | undefined;
}

/**
 * An exchange that reports its progress to the audit record: request and response bodies, the beginning of a
 * long-running response, and the end. The end of the response is sent after the event is logged, so that a blocking log
 * is complete by then.
 */
export class AuditedExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly upgrade: UpgradeOffer | undefined;
  readonly eventReader: EventReader | undefined;
  readonly #inner: Exchange;
  readonly #options: AuditedExchangeOptions;
  #requestBody: Buffer | undefined = undefined;
  #readRequest: ReadBody | undefined = undefined;
  #responded = false;
  #response: AuditedResponse | undefined = undefined;
  #captured: CapturedBytes | undefined = undefined;
  #contentType = '';
  #crash: string | undefined = undefined;
  #isFinished = false;

  constructor(inner: Exchange, options: AuditedExchangeOptions) {
    this.method = inner.method;
    this.path = inner.path;
    this.query = inner.query;
    this.#inner = inner;
    this.#options = options;
    const { upgrade, eventReader } = inner;
    this.upgrade = upgrade && { ...upgrade, accept: (headers) => this.#switch(upgrade, headers) };
    this.eventReader = eventReader && { accept: (options) => this.#handOver(eventReader, options) };
  }

  get connection(): Connection {
    return this.#inner.connection;
  }

  get signal(): AbortSignal {
    return this.#inner.signal;
  }

  get responded(): boolean {
    return this.#responded || this.#inner.responded;
  }

  get rawHeaders(): readonly string[] {
    return this.#inner.rawHeaders;
  }

  /** The response carries the same audit ID as the events. */
  header(name: string): string | undefined {
    return name === 'audit-id' ? this.#options.record.auditId : this.#inner.header(name);
  }

  async readBody(limit: number): Promise<Buffer> {
    const body = await this.#inner.readBody(limit);
    this.#requestBody = body;
    return body;
  }

  /** The bytes of a stream are not audited. */
  bodyStream(): Readable | undefined {
    return this.#inner.bodyStream();
  }

  annotate(key: string, value: string, about?: { readonly showsObject?: boolean }): void {
    this.#options.record.annotate(key, value, about);
  }

  setHeader(name: string, value: string | string[]): void {
    this.#inner.setHeader(name, value);
  }

  setHeaders(shared: Readonly<Record<string, string>>): void {
    this.#inner.setHeaders(shared);
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    if (this.#responded) throw new Error(`${this.method} ${this.path} is answered more than once`);
    this.#responded = true;
    this.#response = { status, body: this.#shown(status, headers, body) };
    const begun = this.#begin();
    const logged = this.#options.refusal === undefined ? this.#finish() : begun;
    const send = (): void => {
      // The deadline may have responded while the log was written.
      if (!this.#inner.responded) this.#inner.respond(status, headers, body);
    };
    if (logged instanceof Promise) logged.then(send).catch(() => this.#inner.abort());
    else send();
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    if (this.#responded) throw new Error(`${this.method} ${this.path} is answered more than once`);
    const { record, isLongRunning, budget } = this.#options;
    this.#contentType = String(headers['content-type'] ?? '');
    if (record.showsResponse && !isLongRunning) this.#captured = new CapturedBytes(maxShown, budget);
    return this.#follow(this.#inner.respondStream(status, headers), status);
  }

  abort(): void {
    this.#inner.abort();
    void this.#finish();
  }

  /** Logs the arrival of the request. False when the request must not be executed. */
  receive(): MaybePromise<boolean> {
    return this.#options.record.reach('RequestReceived');
  }

  /** Called when the handler has failed, before the error response is sent. */
  fail(error: unknown): void {
    if (isCrash(error)) this.#crash = error instanceof Error ? error.message : String(error);
  }

  /**
   * Called when the handler is done. A streamed response continues. Without a response, because the client
   * disconnected, the request ends here. A client that still waits gets a response from the recover filter.
   */
  settle(): MaybePromise<void> {
    if (this.#responded || !this.#inner.signal.aborted) return;
    this.#responded = true;
    void this.#begin();
    return mapMaybe(this.#finish(), () => {});
  }

  #switch(offer: UpgradeOffer, headers: ResponseHeaders): Duplex {
    const duplex = offer.accept(headers);
    this.#start(101, { isOver: duplex.destroyed });
    return duplex;
  }

  #handOver(reader: EventReader, { onEnd }: WatchOutputOptions): WatchOutput {
    this.#responded = true;
    this.#response = { status: 200 };
    void this.#begin();
    const end = (): void => {
      onEnd();
      void this.#finish();
    };
    return reader.accept({ onEnd: end });
  }

  #follow(stream: ResponseStream, status: number): ResponseStream {
    this.#start(status, { isOver: stream.closed });
    return new AuditedStream(stream, { captured: this.#captured, onEnd: () => this.#finish() });
  }

  /** The response continues until the exchange ends. */
  #start(status: number, { isOver }: { readonly isOver: boolean }): void {
    this.#responded = true;
    this.#response = { status };
    void this.#begin();
    const { signal } = this.#inner;
    if (isOver || signal.aborted) void this.#finish();
    else signal.addEventListener('abort', () => void this.#finish(), { once: true });
  }

  #begin(): MaybePromise<unknown> {
    const { record, isLongRunning, refusal } = this.#options;
    if (isLongRunning || refusal !== undefined) return record.reach('ResponseStarted', this.#state());
  }

  #finish(): MaybePromise<unknown> {
    if (this.#isFinished || this.#options.refusal !== undefined) return;
    this.#isFinished = true;
    this.#takeCaptured();
    return this.#options.record.reach(this.#crash === undefined ? 'ResponseComplete' : 'Panic', this.#state());
  }

  #takeCaptured(): void {
    if (this.#captured === undefined) return;
    const bytes = this.#captured.take();
    if (bytes === undefined) this.#options.record.markTruncated();
    else this.#response = { ...this.#response!, body: this.#read(bytes, this.#contentType) };
  }

  /** The content of a response, if the event needs it. */
  #shown(status: number, headers: ResponseHeaders, body: Buffer | string): ReadBody | undefined {
    const { record } = this.#options;
    const mayBeStatus = (status >= 400 || this.method !== 'GET') && body.length <= maxStatusBytes;
    if (!record.showsResponse && !mayBeStatus) return undefined;
    if (body.length > maxShown) {
      record.markTruncated();
      return undefined;
    }
    const { 'content-type': contentType } = headers;
    // A response without a content type is not an object.
    return contentType === undefined
      ? undefined
      : this.#read(typeof body === 'string' ? Buffer.from(body) : body, String(contentType));
  }

  #read(bytes: Buffer, contentType: string | undefined): ReadBody | undefined {
    return readAuditedBody(bytes, contentType, this.#options.schemaOf);
  }

  #state(): Captured {
    const { context, record } = this.#options;
    this.#annotate();
    const request = this.#request();
    const responseBody = this.#response?.body;
    return {
      status: this.#status(),
      ...(request && ('value' in request ? { requestObject: request.value } : request)),
      namesItself: objectVerbs.has(context.info.verb),
      responseObject: record.showsResponse && responseBody && 'value' in responseBody ? responseBody.value : undefined,
      impersonatedUser: context.impersonator === undefined ? undefined : context.user,
      impersonationConstraint: context.impersonationConstraint,
    };
  }

  /** Decoded once, and only if the event includes it or needs it to identify the object. */
  #request(): ReadBody | undefined {
    const { record, context } = this.#options;
    const body = this.#requestBody;
    if (this.#readRequest !== undefined || body === undefined) return this.#readRequest;
    if (!record.showsRequest && !record.holdsSecrets && !objectVerbs.has(context.info.verb)) return undefined;
    const unreadable = body.length === 0 ? undefined : ({ isUnreadable: true } as const);
    this.#readRequest = this.#read(body, this.#inner.header('content-type')) ?? unreadable;
    return this.#readRequest;
  }

  #annotate(): void {
    const { record, context } = this.#options;
    const { decision: made } = context;
    if (made === undefined) return;
    const { decision, reason, error } = made;
    if (decision !== 'allow' && error !== undefined) {
      record.annotate('authorization.k8s.io/reason', 'internal error');
      return;
    }
    record.annotate('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
    record.annotate('authorization.k8s.io/reason', reason);
  }

  #status(): AuditStatus {
    const { refusal } = this.#options;
    if (this.#crash !== undefined) {
      return failure(500, 'InternalError', `APIServer panic'd: ${this.#crash}`);
    }
    if (this.#response === undefined) {
      return { metadata: {}, status: 'Success', message: 'Connection closed early', code: 200 };
    }
    const { status: code, body } = this.#response;
    if (refusal !== undefined && code === 401) return failure(code, 'Unauthorized', refusal);
    const decoded = (body && 'value' in body ? body.value : undefined) as { kind?: unknown } | null | undefined;
    if (decoded?.kind !== 'Status') return { metadata: {}, code };
    const { status, message, reason, details } = decoded as Partial<AuditStatus>;
    return { metadata: {}, ...definedOf({ status, message, reason, details }), code };
  }
}

function failure(code: number, reason: string, message: string): AuditStatus {
  return { metadata: {}, status: 'Failure', message, reason, code };
}

function definedOf<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as T;
}

const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Whether the error is a programming error rather than a failed operation. */
function isCrash(error: unknown): boolean {
  return !(error instanceof Error) || mistakes.some((mistake) => error instanceof mistake);
}
