import type { MaybePromise } from '../../meta/maybe-promise.ts';

/** One end of a channel between two threads: a worker, or the port of a worker to the thread that started it. */
export interface ThreadPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: LinkMessage) => void): unknown;
}

/** What one side of a link can be asked, by name. */
export type Answers = Readonly<Record<string, (argument: never) => MaybePromise<unknown>>>;

interface LinkMessage {
  /** Absent when no answer is expected. */
  readonly id?: number;
  /** Set in questions. */
  readonly name?: string;
  /** Of a question or of an answer. */
  readonly content?: unknown;
  /** Set in answers of failed questions. */
  readonly failure?: string;
}

/** Questions and answers between two threads of a server. */
export class ThreadLink<Own extends Answers, Other extends Answers> {
  readonly #port: ThreadPort;
  readonly #answers: Own;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor(port: ThreadPort, answers: Own) {
    this.#port = port;
    this.#answers = answers;
    port.on('message', (message) => void this.#receive(message));
  }

  /** Rejects when the other thread fails to answer, or ends. */
  ask<N extends keyof Other & string>(
    name: N,
    content: Parameters<Other[N]>[0],
  ): Promise<Awaited<ReturnType<Other[N]>>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    this.#open.set(this.#lastId, answer);
    this.#port.postMessage({ id: this.#lastId, name, content } satisfies LinkMessage);
    return answer.promise as Promise<Awaited<ReturnType<Other[N]>>>;
  }

  /** Without an answer. */
  tell<N extends keyof Other & string>(name: N, content: Parameters<Other[N]>[0]): void {
    if (this.#ended === undefined) this.#port.postMessage({ name, content } satisfies LinkMessage);
  }

  /** The other thread has ended. */
  end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }

  async #receive({ id, name, content, failure }: LinkMessage): Promise<void> {
    if (name === undefined) {
      const answer = this.#open.get(id!);
      this.#open.delete(id!);
      if (failure === undefined) answer?.resolve(content);
      else answer?.reject(new Error(failure));
      return;
    }
    try {
      const answer = await this.#answers[name]!(content as never);
      if (id !== undefined) this.#port.postMessage({ id, content: answer } satisfies LinkMessage);
    } catch (error) {
      if (id !== undefined) this.#port.postMessage({ id, failure: (error as Error).message } satisfies LinkMessage);
    }
  }
}
