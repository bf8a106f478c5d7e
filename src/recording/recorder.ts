import { type ApiResponse, networkFetch, readKubeconfig } from '../client/index.ts';
import { readAuditedBody } from '../http/audited-body.ts';
import type { Exchange, ResponseHeaders, ResponseStream } from '../http/exchange.ts';
import { type Listener, startListener } from '../http/listener/index.ts';
import { isLongRunning, type RequestInfo, requestInfo } from '../http/request-info.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { StatusError } from '../meta/status-error.ts';
import { CertificateAuthority } from '../pki/certificate-authority.ts';
import { adminKubeconfig, writeKubeconfig } from '../pki/index.ts';
import { schemaOf } from '../resources/index.ts';
import { parseExactJson } from './exact-json.ts';
import { JsonLines } from './json-lines.ts';
import type { RecordedRequest } from './recording.ts';
import { RecordingWriter } from './recording-writer.ts';
import { Redaction } from './redact.ts';

/** The maximum size of a recorded body, and of a forwarded request. */
const bodyLimit = 16 * 1024 * 1024;
/** Watches have no time limit, and other requests that of the server. */
const timeoutMs = 10 * 60_000;

export interface RecorderOptions {
  /** The path of the kubeconfig of the upstream server. */
  readonly upstream: string;
  /** The path of the kubeconfig for the clients. It contains the only credentials that the recorder accepts. */
  readonly kubeconfig: string;
  /** The path of the recording. The file must not exist. */
  readonly file: string;
  readonly bindAddress: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Called for requests that could not be forwarded or recorded. */
  readonly onError: (error: Error, request: string) => void;
}

export interface Recorder {
  readonly url: string;
  /** Ends all connections and completes the file. */
  stop(): Promise<void>;
}

/** Starts a proxy that records requests and responses. Its clients have the permissions of the upstream kubeconfig. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { bindAddress, port } = options;
  const authority = CertificateAuthority.create(new Date(), 'keelson-recorder');
  const hosts = [...new Set(['127.0.0.1', 'localhost', bindAddress])];
  const serving = authority.issue({ subject: [{ type: 'CN', value: 'recorder' }], usage: 'server', hosts });
  const client = authority.issue({ subject: [{ type: 'CN', value: 'recorded' }], usage: 'client' });
  const upstream = networkFetch(readKubeconfig(options.upstream), { timeoutMs });
  const writer = await RecordingWriter.create(options.file);
  const recording = new Recording({ writer, fetch: upstream.fetch, onError: options.onError });
  let listener: Listener;
  try {
    listener = await startListener({
      host: bindAddress,
      port,
      ...serving,
      clientCa: authority.pair.cert,
      onExchange: (exchange) => recording.handle(exchange),
    });
  } catch (error) {
    upstream.close();
    await writer.close();
    throw error;
  }
  const host = bindAddress === '0.0.0.0' || bindAddress === '::' ? '127.0.0.1' : bindAddress;
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${listener.port}`;
  await writeKubeconfig(options.kubeconfig, adminKubeconfig({ server: url, caCert: authority.pair.cert, ...client }));
  return {
    url,
    stop: async () => {
      await listener.close();
      upstream.close();
      await recording.idle();
      await writer.close();
    },
  };
}

interface RecordingDependencies extends Pick<RecorderOptions, 'onError'> {
  readonly writer: RecordingWriter;
  readonly fetch: ReturnType<typeof networkFetch>['fetch'];
}

class Recording {
  readonly #dependencies: RecordingDependencies;
  readonly #running = new Set<Promise<void>>();
  #lastId = 0;

  constructor(dependencies: RecordingDependencies) {
    this.#dependencies = dependencies;
  }

  handle(exchange: Exchange): void {
    const run = this.#pass(exchange).catch((error: Error) => {
      this.#dependencies.onError(error, `${exchange.method} ${exchange.path}`);
      if (exchange.responded) exchange.abort();
      else refuse(exchange, 502, `the recorder got no answer: ${error.message}`);
    });
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #pass(exchange: Exchange): Promise<void> {
    if (!exchange.connection.clientCertificateTrusted) {
      return refuse(exchange, 401, 'use the kubeconfig that the recorder has written');
    }
    if (exchange.upgrade !== undefined) {
      return refuse(exchange, 501, 'the recorder does not pass on upgraded connections, as of exec and port-forward');
    }
    const info = requestInfo(exchange.method, exchange.path, exchange.query);
    const redaction = new Redaction(info.target);
    const sent = await exchange.readBody(bodyLimit);
    const id = ++this.#lastId;
    const { writer, fetch } = this.#dependencies;
    writer.write({
      type: 'request',
      id,
      method: exchange.method,
      path: redaction.path(exchange.path, exchange.query),
      ...recordedRequest(exchange, sent, redaction),
    });
    const response = await fetch({
      method: exchange.method,
      path: exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`,
      headers: passedHeaders(exchange),
      ...(sent.length > 0 && { body: sent }),
      signal: exchange.signal,
    });
    await this.#respond(exchange, response, { id, info, redaction });
  }

  async #respond(exchange: Exchange, response: ApiResponse, recorded: RecordedExchange): Promise<void> {
    const { id, info, redaction } = recorded;
    const contentType = String(response.headers['content-type'] ?? '');
    const { status } = response;
    const entry = { type: 'response', id, status, contentType } as const;
    const { writer } = this.#dependencies;
    if (isLongRunning(info) && status === 200) {
      // This must be recorded before the client can react to the response.
      writer.write({ ...entry, stream: true });
      return this.#passStream(exchange, response, recorded);
    }
    const body = response.body[Symbol.asyncIterator]();
    const { bytes, isWhole } = await readUpTo(body, bodyLimit);
    if (isWhole) {
      writer.write({ ...entry, ...recordedBody(bytes, contentType, (value) => redaction.response(value)) });
      exchange.respond(status, responseHeaders(response), bytes);
      return;
    }
    writer.write({ ...entry, omitted: `larger than ${bodyLimit} bytes` });
    const stream = exchange.respondStream(status, responseHeaders(response));
    await send(stream, bytes);
    for (let next = await body.next(); !next.done; next = await body.next())
      await send(stream, Buffer.from(next.value));
    stream.end();
  }

  async #passStream(
    exchange: Exchange,
    response: ApiResponse,
    { id, info, redaction }: RecordedExchange,
  ): Promise<void> {
    const { writer } = this.#dependencies;
    const lines = new JsonLines((event) => writer.write({ type: 'event', id, event: redaction.event(event) }));
    const stream = exchange.respondStream(response.status, responseHeaders(response));
    try {
      for await (const bytes of response.body) {
        const chunk = Buffer.from(bytes);
        if (info.verb === 'watch') lines.add(chunk);
        await send(stream, chunk);
      }
    } catch (error) {
      if (!exchange.signal.aborted) throw error;
      writer.write({ type: 'end', id, by: 'client' });
      return;
    }
    writer.write({ type: 'end', id, by: 'server' });
    stream.end();
  }
}

interface RecordedExchange {
  readonly id: number;
  readonly info: RequestInfo;
  readonly redaction: Redaction;
}

/** Reads the body until it ends, or a little more than the limit. */
async function readUpTo(
  body: AsyncIterator<Uint8Array>,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let next = await body.next(); !next.done; next = await body.next()) {
    chunks.push(Buffer.from(next.value));
    size += next.value.length;
    if (size > limit) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}

async function send(stream: ResponseStream, chunk: Buffer): Promise<void> {
  if (chunk.length > 0 && !stream.write(chunk)) await stream.drained();
}

/** Returns the decoded body, and headers for sending it as JSON. */
function recordedRequest(
  exchange: Exchange,
  sent: Buffer,
  redaction: Redaction,
): Pick<RecordedRequest, 'headers' | 'body' | 'omitted'> {
  const accept = acceptJson(exchange.header('accept'));
  const headers = redaction.headers((name) => (name === 'accept' ? accept : exchange.header(name)));
  const contentType = headers['content-type'] ?? '';
  const redact = (body: unknown): unknown => redaction.request(body);
  if (/json/.test(contentType)) return { headers, ...recordedBody(sent, contentType, redact) };
  const read = readAuditedBody(sent, contentType, schemaOf);
  if (read === undefined || !('value' in read)) return { headers, ...recordedBody(sent, contentType, redact) };
  return { headers: { ...headers, 'content-type': textType(contentType) }, body: redact(read.value) };
}

/** Returns the content type for sending JSON. JSON is valid YAML, so a YAML type can be kept. */
function textType(contentType: string): string {
  if (/apply-patch/.test(contentType)) return 'application/apply-patch+yaml';
  return /yaml/.test(contentType) ? contentType : 'application/json';
}

/** Returns JSON as a value and other text unchanged. Other content cannot be searched for secrets, so it is omitted. */
function recordedBody(
  bytes: Buffer,
  contentType: string,
  redact: (body: unknown) => unknown,
): { readonly body?: unknown; readonly omitted?: string } {
  if (bytes.length === 0) return {};
  if (/json/.test(contentType)) {
    try {
      return { body: redact(parseExactJson(bytes)) };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { omitted: 'not JSON' };
    }
  }
  return /^text\//.test(contentType)
    ? { body: redact(bytes.toString()) }
    : { omitted: contentType || 'no content type' };
}

/** Headers that are not forwarded: those of one connection, and those that the recorder sets itself. */
const ownHeaders = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function passedHeaders(exchange: Exchange): Record<string, string> {
  const headers: Record<string, string> = { accept: acceptJson(exchange.header('accept')) };
  for (let index = 0; index < exchange.rawHeaders.length; index += 2) {
    const name = exchange.rawHeaders[index]!.toLowerCase();
    if (!ownHeaders.has(name) && !name.startsWith(':')) headers[name] = exchange.header(name)!;
  }
  return headers;
}

/** Removes binary types, because a recording must be readable. Every client of this API understands JSON. */
function acceptJson(accept: string | undefined): string {
  const kept = (accept ?? '').split(',').filter((type) => !/protobuf|cbor/.test(type));
  return kept.join(',').trim() || 'application/json';
}

function responseHeaders({ headers }: ApiResponse): ResponseHeaders {
  const passed = Object.entries(headers).filter(([name]) => !ownHeaders.has(name) && name !== 'date');
  return Object.fromEntries(passed);
}

function refuse(exchange: Exchange, code: number, message: string): void {
  const { status } = new StatusError({ code, reason: '', message });
  exchange.respond(code, { 'content-type': 'application/json' }, `${JSON.stringify(status)}\n`);
}
