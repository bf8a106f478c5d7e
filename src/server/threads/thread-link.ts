import { MessagePort } from 'node:worker_threads';
import type { MaybePromise } from '../../meta/maybe-promise.ts';

/** One end of a channel between two threads: a worker, or the port of a worker to the thread that started it. */
export interface ThreadPort {
  postMessage(message: unknown, transfer: MessagePort[]): void;
  on(event: 'message', listener: (message: LinkMessage) => void): unknown;
}

/** The functions that the other side can call, by name. */
export type Calls = Readonly<Record<string, (argument: never) => MaybePromise<unknown>>>;

interface LinkMessage {
  /** Absent when no reply is expected. */
  readonly id?: number;
  /** The name of the called function. Absent in replies. */
  readonly name?: string;
  /** The argument of a call, or the result of a reply. A port is moved to the other thread. */
  readonly content?: unknown;
  /** The message of the error. Set in replies to failed calls. */
  readonly failure?: string;
}

/** Requests and replies between two threads of a server. */
export class ThreadLink<Own extends Calls, Other extends Calls> {
  readonly #port: ThreadPort;
  readonly #calls: Own;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor(port: ThreadPort, calls: Own) {
    this.#port = port;
    this.#calls = calls;
    port.on('message', (message) => void this.#receive(message));
  }

  /** Calls a function of the other thread. Rejects when it fails, or when the thread ends. */
  call<N extends keyof Other & string>(
    name: N,
    content: Parameters<Other[N]>[0],
  ): Promise<Awaited<ReturnType<Other[N]>>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#lastId += 1;
    const reply = Promise.withResolvers<unknown>();
    this.#open.set(this.#lastId, reply);
    this.#send({ id: this.#lastId, name, content });
    return reply.promise as Promise<Awaited<ReturnType<Other[N]>>>;
  }

  /** Calls a function of the other thread without waiting for a result. */
  notify<N extends keyof Other & string>(name: N, content: Parameters<Other[N]>[0]): void {
    if (this.#ended === undefined) this.#send({ name, content });
  }

  /** Must be called when the other thread has ended. Rejects all open calls. */
  end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }

  async #receive({ id, name, content, failure }: LinkMessage): Promise<void> {
    if (name === undefined) {
      const reply = this.#open.get(id!);
      this.#open.delete(id!);
      if (failure === undefined) reply?.resolve(content);
      else reply?.reject(new Error(failure));
      return;
    }
    try {
      const reply = await this.#calls[name]!(content as never);
      if (id !== undefined) this.#send({ id, content: reply });
    } catch (error) {
      if (id !== undefined) this.#send({ id, failure: (error as Error).message });
    }
  }

  #send(message: LinkMessage): void {
    this.#port.postMessage(message, message.content instanceof MessagePort ? [message.content] : []);
  }
}
