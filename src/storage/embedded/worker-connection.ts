import { Worker } from 'node:worker_threads';
import { closedError } from '../preconditions.ts';
import { StorageError } from '../storage.ts';
import type { Failure, Operation, Operations, ReplyMessage, RequestMessage } from './protocol.ts';

/** Handles the reply. Called directly from the message event, so replies are handled in the order of the requests. */
export interface ReplyHandler<O extends Operation> {
  readonly onReply: (reply: Operations[O]['reply']) => void;
  readonly onError: (error: StorageError) => void;
}

/**
 * Sends requests to the worker and dispatches its replies. When the worker dies, all pending and later requests fail
 * with `Unavailable`.
 */
export class WorkerConnection {
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  readonly #pending = new Map<number, ReplyHandler<Operation>>();
  #lastId = 0;
  #ended: StorageError | undefined;

  /** `onExit` is called at most once, and not when the worker exits because of `close`. */
  constructor(script: URL, onExit: (error: StorageError) => void) {
    // The worker creates little garbage. V8's large default young generation would only increase idle memory.
    this.#worker = new Worker(script, { name: 'storage', resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('message', (message: ReplyMessage) => this.#handle(message));
    const fail = (cause: unknown): void => {
      const error = new StorageError('Unavailable', 'the storage thread has ended unexpectedly', { cause });
      this.#rejectPending(error);
      if (this.#ended) return;
      this.#ended = error;
      onExit(error);
    };
    this.#worker.on('error', fail);
    this.#worker.on('messageerror', fail);
    this.#worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
  }

  post<O extends Operation>(operation: O, request: Operations[O]['request'], handler: ReplyHandler<O>): void {
    if (this.#ended) {
      handler.onError(this.#ended);
      return;
    }
    this.#lastId += 1;
    this.#pending.set(this.#lastId, handler as ReplyHandler<Operation>);
    this.#worker.postMessage({ id: this.#lastId, operation, request } as RequestMessage);
  }

  call<O extends Operation>(operation: O, request: Operations[O]['request']): Promise<Operations[O]['reply']> {
    return new Promise((resolve, reject) => this.post(operation, request, { onReply: resolve, onError: reject }));
  }

  /** Waits until the worker has answered all earlier requests, then terminates it. */
  async close(): Promise<void> {
    if (!this.#ended) {
      const closed = this.call('close', undefined);
      this.#ended = closedError();
      await closed;
    }
    await this.#exited;
  }

  #handle({ id, reply, failure }: ReplyMessage): void {
    const handler = this.#pending.get(id);
    this.#pending.delete(id);
    if (handler === undefined) return;
    if (failure) {
      handler.onError(fromFailure(failure));
      return;
    }
    try {
      handler.onReply(reply as Operations[Operation]['reply']);
    } catch (cause) {
      // There is no caller here to catch the error, and callers that wait for this reply must not wait forever.
      const message = 'the answer of the storage thread could not be understood';
      handler.onError(new StorageError('Unavailable', message, { cause }));
    }
  }

  #rejectPending(error: StorageError): void {
    const handlers = [...this.#pending.values()];
    this.#pending.clear();
    for (const handler of handlers) handler.onError(error);
  }
}

function fromFailure({ code, message, cause }: Failure): StorageError {
  const original = Object.assign(new Error(cause.message), { name: cause.name, code: cause.code });
  return new StorageError(code, message, { cause: original });
}
