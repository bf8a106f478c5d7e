import { Channel, type ChannelOptions, type ChannelStream, type StreamCall } from './channel.ts';

/** After this long without a response to pending calls, new calls go to other members if possible. */
const unresponsiveMs = 1000;

export interface MemberOptions extends ChannelOptions {
  /** Whether there are other members, so that calls that may be repeated need not wait for this one. */
  readonly hasOthers: boolean;
}

export interface MemberCall<T> {
  /** Such as `/etcdserverpb.KV/Range`. */
  readonly method: string;
  readonly request: readonly Buffer[];
  readonly decode: (response: Buffer) => T;
  /** Whether the call is a write, so that it must not be repeated. */
  readonly write?: boolean;
  readonly signal?: AbortSignal;
}

/** The connection to one member of the cluster. */
export class Member {
  readonly target: string;
  readonly #channel: Channel;
  readonly #hasOthers: boolean;
  /** Ends the pending calls that may be repeated. */
  readonly #repeatable = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #pending = 0;
  /** The time of the last response, or of the first pending call. */
  #respondedAt = 0;

  constructor({ hasOthers, ...options }: MemberOptions) {
    this.target = options.endpoint.target;
    this.#channel = new Channel(options);
    this.#hasOthers = hasOthers;
  }

  get ready(): boolean {
    return this.#channel.ready;
  }

  /** Whether the member does not respond to calls. */
  get silent(): boolean {
    return this.#pending > 0 && performance.now() - this.#respondedAt > unresponsiveMs;
  }

  /** Connects. Rejects when the connection fails or takes too long, or when an earlier attempt has just failed. */
  connect(timeoutMs: number): Promise<void> {
    return this.#channel.connect(timeoutMs);
  }

  /** Rejects with the error of gRPC, or with the reason of the signal. */
  call<T>(options: MemberCall<T>, timeoutMs: number): Promise<T> {
    const { method, request, decode, write = false, signal } = options;
    return new Promise((resolve, reject) => {
      this.#begin();
      const onDone = (error: Error | undefined, response: Buffer | undefined): void => {
        signal?.removeEventListener('abort', cancel);
        this.#end(cancel);
        if (error !== undefined) reject(signal?.aborted ? signal.reason : error);
        else {
          this.#respondedAt = performance.now();
          try {
            resolve(decode(response!));
          } catch (cause) {
            reject(cause as Error);
          }
        }
      };
      // Many clients write at a time. Reads of the latest revision are shared already.
      const cancel = this.#channel.call({ method, request, timeoutMs, isBatched: write, onDone });
      signal?.addEventListener('abort', cancel, { once: true });
      if (!write && this.#hasOthers) this.#repeatable.add(cancel);
    });
  }

  /** Opens a stream for watches. */
  watch(listener: Pick<StreamCall, 'onMessage' | 'onEnd'>): ChannelStream {
    return this.#channel.stream({ ...listener, method: '/etcdserverpb.Watch/Watch' });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#channel.close();
  }

  #begin(): void {
    if (this.#pending === 0) this.#respondedAt = performance.now();
    this.#pending += 1;
    if (this.#hasOthers) this.#timer ??= setInterval(() => this.#watchOver(), unresponsiveMs / 2);
  }

  #end(cancel: () => void): void {
    this.#pending -= 1;
    this.#repeatable.delete(cancel);
  }

  /** Cancels calls that another member can answer, if this member does not respond. */
  #watchOver(): void {
    if (this.silent) for (const cancel of this.#repeatable) cancel();
    if (this.#pending > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
