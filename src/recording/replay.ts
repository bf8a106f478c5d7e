import { type ApiResponse, type Fetch, networkFetch, readKubeconfig } from '../client/index.ts';
import { readText } from '../client/read-text.ts';
import { Correspondence, type Difference } from './correspondence.ts';
import { exactJson, parseExactJson } from './exact-json.ts';
import { JsonLines } from './json-lines.ts';
import { type RecordedRequest, type RecordedResponse, type RecordedStep, readRecording } from './recording.ts';

/** Maximum number of events by which a stream may be ahead of the recording. */
const maxWaiting = 100_000;

export interface ReplayOptions {
  readonly file: string;
  /** The path of the kubeconfig of the server to replay against. */
  readonly kubeconfig: string;
  /** Paths of fields that are not compared. */
  readonly ignored?: readonly string[];
  /** How long to wait for a response or an event. */
  readonly timeoutMs: number;
  /** Called for every difference, in order. */
  readonly onDifference: (difference: string) => void;
}

export interface ReplayReport {
  readonly requests: number;
  readonly events: number;
  readonly differences: number;
}

/**
 * Sends the recorded requests to another server, each after all steps recorded before it, and compares the responses.
 * Rejects with a RangeError for a file that is not a recording, and for an invalid kubeconfig.
 */
export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const { fetch, close } = networkFetch(readKubeconfig(options.kubeconfig), { timeoutMs: options.timeoutMs });
  const run = new Replay(options, fetch);
  try {
    for await (const step of readRecording(options.file)) await run.play(step);
    return run.report;
  } finally {
    run.stop();
    close();
  }
}

/** A request that has been sent and is not complete. */
interface Running {
  readonly request: RecordedRequest;
  readonly response: Promise<ApiResponse>;
  readonly stop: AbortController;
  stream?: EventStream;
}

class Replay {
  readonly #options: ReplayOptions;
  readonly #fetch: Fetch;
  readonly #correspondence: Correspondence;
  readonly #running = new Map<number, Running>();
  #requests = 0;
  #events = 0;
  #differences = 0;

  constructor(options: ReplayOptions, fetch: Fetch) {
    this.#options = options;
    this.#fetch = fetch;
    this.#correspondence = new Correspondence(options.ignored);
  }

  get report(): ReplayReport {
    return { requests: this.#requests, events: this.#events, differences: this.#differences };
  }

  stop(): void {
    for (const { stop } of this.#running.values()) stop.abort();
  }

  async play(step: RecordedStep): Promise<void> {
    if (step.type === 'request') {
      this.#send(step);
      return;
    }
    const running = this.#running.get(step.id);
    // The request could not be sent. This has been reported already.
    if (running === undefined) return;
    try {
      if (step.type === 'response') await this.#compareResponse(running, step);
      else if (step.type === 'event') await this.#compareEvent(running, step.event);
      else await this.#end(running, step.by);
    } catch (error) {
      this.#differ(running.request, (error as Error).message);
      this.#finish(running);
    }
  }

  #send(request: RecordedRequest): void {
    this.#requests++;
    if (request.omitted !== undefined) {
      this.#differ(request, `cannot be sent, because its body was not recorded (${request.omitted})`);
      return;
    }
    const stop = new AbortController();
    const response = this.#fetch({
      method: request.method,
      path: this.#correspondence.path(request.path),
      headers: request.headers,
      ...(request.body !== undefined && { body: exactJson(this.#correspondence.body(request.body)) }),
      signal: stop.signal,
    });
    response.catch(() => {});
    this.#running.set(request.id, { request, response, stop });
  }

  async #compareResponse(running: Running, recorded: RecordedResponse): Promise<void> {
    const { request } = running;
    const response = await this.#inTime(running.response, 'no response in time');
    if (response.status !== recorded.status) {
      const body = await readText(response);
      throw new Error(`status: recorded ${recorded.status}, got ${response.status} ${shortened(body)}`);
    }
    if (recorded.stream === true) {
      running.stream = new EventStream(response);
      return;
    }
    const text = await this.#inTime(readText(response), 'the response did not end in time');
    const contentType = String(response.headers['content-type'] ?? '');
    if (contentType !== recorded.contentType) {
      this.#differ(request, `content type: recorded ${recorded.contentType}, got ${contentType}`);
    }
    if (recorded.omitted === undefined) {
      const body: unknown = /json/.test(contentType) && text !== '' ? parseExactJson(text) : text || undefined;
      this.#report(request, this.#correspondence.compare(recorded.body, body));
    }
    this.#finish(running);
  }

  async #compareEvent({ request, stream }: Running, recorded: unknown): Promise<void> {
    // The time of bookmarks varies.
    if (isBookmark(recorded)) return;
    this.#events++;
    const got = await this.#inTime(stream!.next(), 'no event in time');
    if (got === undefined) throw new Error('the stream ended before a recorded event');
    this.#report(request, this.#correspondence.compare(recorded, got));
  }

  async #end(running: Running, by: 'client' | 'server'): Promise<void> {
    // The time after which the server ends a stream varies, so only its events are compared.
    if (by === 'client') running.stop.abort();
    this.#finish(running);
  }

  #finish(running: Running): void {
    running.stop.abort();
    this.#running.delete(running.request.id);
  }

  #report(request: RecordedRequest, differences: readonly Difference[]): void {
    for (const { path, recorded, got } of differences) {
      this.#differ(request, `${path || 'body'}: recorded ${shortened(recorded)}, got ${shortened(got)}`);
    }
  }

  #differ({ id, method, path }: RecordedRequest, text: string): void {
    this.#differences++;
    this.#options.onDifference(`#${id} ${method} ${path}: ${text}`);
  }

  async #inTime<T>(result: Promise<T>, message: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(message)), this.#options.timeoutMs);
    });
    try {
      return await Promise.race([result, expired]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The events of a watch, without bookmarks. */
class EventStream {
  readonly #events: object[] = [];
  #isDone = false;
  #wake: () => void = () => {};

  constructor({ body }: ApiResponse) {
    void this.#read(body).finally(() => {
      this.#isDone = true;
      this.#wake();
    });
  }

  /** Returns undefined at the end of the stream. */
  async next(): Promise<object | undefined> {
    while (this.#events.length === 0 && !this.#isDone) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#events.shift();
  }

  async #read(body: ApiResponse['body']): Promise<void> {
    const lines = new JsonLines((event) => {
      if (this.#events.length >= maxWaiting) throw new Error('the stream is too far ahead');
      if (!isBookmark(event)) this.#events.push(event);
      this.#wake();
    });
    try {
      for await (const chunk of body) lines.add(Buffer.from(chunk));
    } catch {
      // Aborted or disconnected: there are no more events.
    }
  }
}

function isBookmark(event: unknown): boolean {
  return (event as { type?: unknown } | undefined)?.type === 'BOOKMARK';
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (exactJson(value) ?? 'nothing');
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
