import type * as Grpc from '@grpc/grpc-js';
import { closedError } from '../preconditions.ts';
import type { Endpoint } from './endpoint.ts';
import { encodeNothing, ignoreResponse } from './messages.ts';

/** After so long without any answer to pending calls, calls go to other members if possible. */
const suspicionMs = 1000;
/** The reason of a failed connection is known at once. */
const reasonMs = 100;

const channelOptions: Grpc.ChannelOptions = {
  // Connections belong to one store, so that closing it closes them.
  'grpc.use_local_subchannel_pool': 1,
  // A page of large objects may have any size. Callers ask for smaller pages when this is too little.
  'grpc.max_receive_message_length': 256 * 1024 * 1024,
  'grpc.max_send_message_length': -1,
  // etcd closes connections that send pings more often than every 5 s.
  'grpc.keepalive_time_ms': 6000,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2000,
  // Members know better which calls may be repeated.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.client_idle_timeout_ms': 30 * 60_000,
  'grpc.enable_http_proxy': 0,
};

export interface MemberOptions {
  readonly grpc: typeof Grpc;
  readonly endpoint: Endpoint;
  readonly credentials: Grpc.ChannelCredentials;
  /** Whether there are others, so that calls that may be repeated need not wait for this one. */
  readonly hasOthers: boolean;
}

export interface MemberCall<T> {
  /** Such as `/etcdserverpb.KV/Range`. */
  readonly method: string;
  readonly request: Buffer;
  readonly decode: (response: Buffer) => T;
  /** Whether the call changes something, so that it must not be repeated. */
  readonly write?: boolean;
  readonly signal?: AbortSignal;
}

export interface MemberStream {
  write(request: Buffer): void;
  pause(): void;
  resume(): void;
  /** Nothing is called back afterwards. */
  cancel(): void;
}

export interface StreamListener {
  onMessage(message: Buffer): void;
  /** Called once, unless the stream is cancelled. */
  onEnd(error: Error): void;
}

/** The connection to one member of the cluster. */
export class Member {
  readonly target: string;
  readonly #grpc: typeof Grpc;
  readonly #client: Grpc.Client;
  readonly #metadata: Grpc.Metadata;
  readonly #hasOthers: boolean;
  /** Ends the pending calls that may be repeated. */
  readonly #repeatable = new Set<Grpc.ClientUnaryCall>();
  #timer: NodeJS.Timeout | undefined;
  #pending = 0;
  /** When the last answer came, or the first pending call was made. */
  #answeredAt = 0;

  constructor({ grpc, endpoint, credentials, hasOthers }: MemberOptions) {
    this.target = endpoint.target;
    this.#grpc = grpc;
    this.#hasOthers = hasOthers;
    this.#client = new grpc.Client(endpoint.target, credentials, {
      ...channelOptions,
      // An IP address must not be sent in the handshake. The credentials verify it.
      ...(endpoint.ip !== undefined && { 'grpc.ssl_target_name_override': 'etcd' }),
    });
    this.#metadata = new grpc.Metadata();
    // A member without a leader refuses the call at once and ends its streams, instead of keeping them for ever.
    this.#metadata.set('hasleader', 'true');
  }

  get ready(): boolean {
    return this.#client.getChannel().getConnectivityState(false) === this.#grpc.connectivityState.READY;
  }

  /** Whether the member leaves calls without an answer. */
  get silent(): boolean {
    return this.#pending > 0 && performance.now() - this.#answeredAt > suspicionMs;
  }

  /** Connects. Rejects when the connection fails, or has failed a moment ago, or takes too long. */
  async connect(timeoutMs: number): Promise<void> {
    const channel = this.#client.getChannel();
    const { READY, TRANSIENT_FAILURE, SHUTDOWN } = this.#grpc.connectivityState;
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const state = channel.getConnectivityState(true);
      if (state === READY) return;
      if (state === TRANSIENT_FAILURE) throw await this.#connectionError();
      if (state === SHUTDOWN) throw closedError();
      const changed = await new Promise<boolean>((resolve) => {
        channel.watchConnectivityState(state, deadline, (error) => resolve(error === undefined));
      });
      if (!changed) throw new Error(`no answer from ${this.target}`);
    }
  }

  /** The channel tells why it has no connection only to calls, which it does not send then. */
  async #connectionError(): Promise<Error> {
    const call = { method: '/etcdserverpb.Maintenance/Status', request: encodeNothing(), decode: ignoreResponse };
    try {
      await this.call(call, reasonMs);
    } catch (error) {
      const { details = '' } = error as Grpc.ServiceError;
      const reason = details
        .replace(/^No connection established\. Last error: (Error: )?/, '')
        .replace(/\.?( Resolution note: )?$/, '');
      return new Error(`no connection to ${this.target}: ${reason}`);
    }
    return new Error(`no connection to ${this.target} until now`);
  }

  /** Rejects with the error of gRPC, or with the reason of the signal. */
  call<T>(options: MemberCall<T>, timeoutMs: number): Promise<T> {
    const { method, request, decode, write = false, signal } = options;
    return new Promise((resolve, reject) => {
      this.#begin();
      const done = (error: Error | null, value?: T): void => {
        signal?.removeEventListener('abort', cancel);
        this.#end(call, error === null);
        if (error === null) resolve(value!);
        else reject(signal?.aborted ? signal.reason : error);
      };
      const deadline = { deadline: Date.now() + timeoutMs };
      const start = (): Grpc.ClientUnaryCall =>
        this.#client.makeUnaryRequest(method, same, decode, request, this.#metadata, deadline, done);
      const call = withoutStackTraces(start);
      const cancel = (): void => call.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      if (!write && this.#hasOthers) this.#repeatable.add(call);
    });
  }

  /** Opens a stream for watches. */
  watch({ onMessage, onEnd }: StreamListener): MemberStream {
    const call = this.#client.makeBidiStreamRequest('/etcdserverpb.Watch/Watch', same, same, this.#metadata);
    let ended = false;
    const end = (error: Error): void => {
      if (ended) return;
      ended = true;
      call.cancel();
      onEnd(error);
    };
    call.on('data', (message: Buffer) => {
      if (!ended) onMessage(message);
    });
    call.on('error', end);
    call.on('end', () => end(new Error('the watch stream has ended')));
    return {
      write: (request) => void call.write(request),
      pause: () => void call.pause(),
      resume: () => void call.resume(),
      cancel: () => {
        ended = true;
        call.cancel();
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#client.close();
  }

  #begin(): void {
    if (this.#pending === 0) this.#answeredAt = performance.now();
    this.#pending += 1;
    if (this.#hasOthers) this.#timer ??= setInterval(() => this.#watchOver(), suspicionMs / 2);
  }

  #end(call: Grpc.ClientUnaryCall, answered: boolean): void {
    this.#pending -= 1;
    this.#repeatable.delete(call);
    if (answered) this.#answeredAt = performance.now();
  }

  /** Calls that another member can answer do not wait for one that is silent. */
  #watchOver(): void {
    if (this.silent) for (const call of this.#repeatable) call.cancel();
    if (this.#pending > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** gRPC records the stack at each call, for errors. That takes an eighth of the time of a call. */
function withoutStackTraces<T>(call: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function same(bytes: Buffer): Buffer {
  return bytes;
}
