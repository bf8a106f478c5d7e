import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { connectionFailure } from '../client/index.ts';
import { type AcceptedWebSocket, acceptWebSocket } from '../http/web-socket.ts';
import { internalError, type Status, StatusError } from '../meta/status-error.ts';
import { Channels, commandChannels, SpdyConnection, type SpdyStream } from '../streams/index.ts';
import { hostOf, readExplanation } from './kubelet-request.ts';
import { idleTimeoutMs, requestSwitch, type StreamRequest } from './stream-request.ts';

const protocol = 'v5.channel.k8s.io';
/** The protocols offered to the kubelet. Both are the same over SPDY, where every stream ends separately. */
const kubeletProtocols = [protocol, 'v4.channel.k8s.io'];
/** Clients send messages of some kilobytes. */
const maxPayload = 4 * 1024 * 1024;
const maxStatusBytes = 1024 * 1024;
const pingIntervalMs = 5_000;
/** How long the kubelet may take to accept the streams. */
const openTimeoutMs = 30_000;
/** How long the client may take to read the rest after the end: its last bytes may still be on their way. */
const closeTimeoutMs = 15 * 60_000;

export interface CommandStreams {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
}

/** The last message to the client. Statuses in it have no kind. */
type FinalStatus = Omit<Status, 'kind' | 'apiVersion'>;

/**
 * Connects a client that speaks channels over a WebSocket with a kubelet that speaks SPDY. Once the WebSocket is open,
 * every failure is reported on the error channel.
 */
export async function translateCommand(request: StreamRequest, streams: CommandStreams): Promise<void> {
  const choose = (offered: readonly string[]) => offered.find((one) => one === protocol);
  const accepted = acceptWebSocket(request.exchange, { choose, maxPayload, closeTimeoutMs });
  if (accepted === undefined) return;
  const session = new CommandSession(request, accepted, streams);
  await session.run();
}

class CommandSession {
  readonly #request: StreamRequest;
  readonly #streams: CommandStreams;
  readonly #webSocket: WebSocket;
  readonly #channels: Channels;
  readonly #clientGone: Promise<void>;
  /** Aborts when the client has disconnected, and with the signal of the request. */
  readonly #ended = new AbortController();
  #idle: NodeJS.Timeout | undefined;

  constructor(request: StreamRequest, { webSocket, duplex }: AcceptedWebSocket, streams: CommandStreams) {
    this.#request = request;
    this.#streams = streams;
    this.#webSocket = webSocket;
    this.#channels = new Channels(webSocket, {
      isBase64: false,
      hasCloseSignal: true,
      inputs: [...(streams.stdin ? [commandChannels.stdin] : []), ...(streams.tty ? [commandChannels.resize] : [])],
      connection: duplex,
    });
    for (const sign of ['message', 'ping'] as const) webSocket.on(sign, () => this.#idle?.refresh());
    this.#clientGone = new Promise((resolve) => webSocket.once('close', () => resolve()));
    void this.#clientGone.then(() => this.#ended.abort());
    if (webSocket.readyState === webSocket.CLOSED) this.#ended.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#request;
    const cut = (): void => this.#webSocket.terminate();
    if (signal.aborted) cut();
    else signal.addEventListener('abort', cut, { once: true });
    this.#idle = setTimeout(cut, idleTimeoutMs);
    this.#announceOpen();
    const status = await this.#command().catch(failureOf);
    this.#finish(status);
    await this.#clientGone;
    clearTimeout(this.#idle);
    signal.removeEventListener('abort', cut);
  }

  /** Sends the empty first message that clients wait for. */
  #announceOpen(): void {
    const { stdout, stderr } = this.#streams;
    const { stdout: first, stderr: second, error } = commandChannels;
    this.#channels.send(stdout ? first : stderr ? second : error, Buffer.alloc(0), () => {});
  }

  async #command(): Promise<FinalStatus> {
    const socket = await this.#connect();
    const connection = new SpdyConnection(socket, { role: 'client', pingIntervalMs });
    const cut = (): void => connection.destroy();
    this.#ended.signal.addEventListener('abort', cut, { once: true });
    if (this.#ended.signal.aborted) cut();
    try {
      return await this.#exchangeStreams(connection);
    } finally {
      this.#ended.signal.removeEventListener('abort', cut);
      connection.close();
    }
  }

  async #connect(): Promise<Duplex> {
    const { kubelet, path, exchange } = this.#request;
    const headers = {
      'x-stream-protocol-version': kubeletProtocols,
      'x-forwarded-for': exchange.connection.remoteAddress,
    };
    const request = { ...this.#request, signal: this.#ended.signal };
    const offer = { method: 'POST', headers, upgrade: 'SPDY/3.1' };
    const { head: response, socket } = await requestSwitch(request, offer).catch((cause: Error) => {
      const url = `https://${hostOf(kubelet)}${path}`;
      throw internalError(`error sending request: Post ${JSON.stringify(url)}: ${connectionFailure(cause)}`, { cause });
    });
    if (socket === undefined) throw await refusalOf(response);
    if (kubeletProtocols.includes(String(response.headers['x-stream-protocol-version']))) return socket;
    socket.destroy();
    throw internalError('unable to upgrade connection: the kubelet speaks none of the protocols for remote commands');
  }

  async #exchangeStreams(connection: SpdyConnection): Promise<FinalStatus> {
    const { stdin, stdout, stderr, tty } = this.#streams;
    // Kubelets expect the error stream first.
    const error = connection.open({ streamtype: 'error' });
    const open = (streamtype: string) => connection.open({ streamtype });
    const opened = {
      stdin: stdin ? open('stdin') : undefined,
      stdout: stdout ? open('stdout') : undefined,
      // A terminal has one output.
      stderr: stderr && !tty ? open('stderr') : undefined,
      resize: tty ? open('resize') : undefined,
    };
    await allOpen([error, ...Object.values(opened).filter((stream) => stream !== undefined)]);
    error.end();
    if (opened.stdin) passInput(this.#channels.input(commandChannels.stdin), opened.stdin);
    if (opened.resize) passInput(this.#channels.input(commandChannels.resize), opened.resize);
    for (const output of [opened.stdout, opened.stderr]) output?.on('data', () => this.#idle?.refresh());
    const [text] = await Promise.all([
      readStatus(error),
      opened.stdout && passOutput(opened.stdout, this.#channels.output(commandChannels.stdout)),
      opened.stderr && passOutput(opened.stderr, this.#channels.output(commandChannels.stderr)),
    ]);
    return statusOf(text);
  }

  #finish(status: FinalStatus): void {
    this.#channels.dropInput();
    this.#channels.send(commandChannels.error, Buffer.from(JSON.stringify(status)), () => {});
    this.#webSocket.close(1000);
  }
}

async function allOpen(streams: readonly SpdyStream[]): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const expired = () => internalError('the kubelet did not accept the streams in time');
  const timer = setTimeout(() => reject(expired()), openTimeoutMs);
  try {
    await Promise.race([Promise.all(streams.map(({ opened }) => opened)), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A command may end before all its input was read. */
function passInput(input: Readable, stream: SpdyStream): void {
  input.pipe(stream);
  // The kubelet sends nothing in this direction.
  stream.resume();
  stream.once('close', () => input.destroy());
  input.once('close', () => {
    if (!input.readableEnded) stream.destroy();
  });
}

/** Resolves when all output is sent. Rejects when the stream breaks. */
function passOutput(stream: SpdyStream, output: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    output.once('finish', resolve);
    stream.once('error', reject);
    stream.once('end', () => stream.end());
    stream.pipe(output);
  });
}

async function readStatus(stream: SpdyStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxStatusBytes) throw internalError('error stream protocol error: the status is too large');
  }
  return Buffer.concat(chunks).toString();
}

/** The kubelet sends an empty text on success. */
function statusOf(text: string): FinalStatus {
  if (text === '') return { metadata: {}, status: 'Success' };
  try {
    const status = JSON.parse(text) as FinalStatus;
    if (status?.status === 'Success' || status?.status === 'Failure') return status;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  return failureOf(internalError(`error stream protocol error: unknown error: ${text}`));
}

function failureOf(error: Error): FinalStatus {
  if (!(error instanceof StatusError)) {
    return failureOf(internalError(`error reading from error stream: ${error.message}`, { cause: error }));
  }
  const { kind: _kind, apiVersion: _apiVersion, ...status } = error.status;
  return status;
}

/** A kubelet that does not switch responds with the reason, as a Status or as text. */
async function refusalOf(response: IncomingMessage): Promise<StatusError> {
  const text = (await readExplanation(response, maxStatusBytes)).trim();
  const status = statusIn(text);
  if (status === undefined) return internalError(`unable to upgrade connection: ${text}`);
  const { message = '', reason = '', details, code } = status;
  return new StatusError({ message, reason, details, code: code ?? response.statusCode! });
}

function statusIn(text: string): Status | undefined {
  try {
    const value = JSON.parse(text) as Status | null;
    return value?.kind === 'Status' ? value : undefined;
  } catch {
    return undefined;
  }
}
