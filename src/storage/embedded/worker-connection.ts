import { Worker } from 'node:worker_threads';
import { closedError } from '../preconditions.ts';
import { StorageError } from '../storage.ts';
import type { Failure, Operation, Operations, ReplyMessage, RequestMessage } from './protocol.ts';

/** What to do with the answer; called directly from the message event, so in the order of the requests. */
export interface ReplyHandler<O extends Operation> {
  readonly onReply: (reply: Operations[O]['reply']) => void;
  readonly onError: (error: StorageError) => void;
}

/**
 * Asks the worker and tells the answers. When the worker dies, everything that waits for it fails with `Unavailable`, and
 * so does all that is asked later.
 */
export class WorkerConnection {
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  readonly #waiting = new Map<number, ReplyHandler<Operation>>();
  #lastId = 0;
  #ended: StorageError | undefined;

  /** `onDeath` is called at most once, and not for an end that was asked for. */
  constructor(script: URL, onDeath: (error: StorageError) => void) {
    // The worker makes little garbage; V8's default of a large young generation would only add to the idle memory.
    this.#worker = new Worker(script, { name: 'storage', resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('message', (message: ReplyMessage) => this.#handle(message));
    const die = (cause: unknown): void => {
      const error = new StorageError('Unavailable', 'the storage thread has ended unexpectedly', { cause });
      this.#abandon(error);
      if (this.#ended) return;
      this.#ended = error;
      onDeath(error);
    };
    this.#worker.on('error', die);
    this.#worker.on('messageerror', die);
    this.#worker.on('exit', (code) => die(new Error(`exit code ${code}`)));
  }

  post<O extends Operation>(operation: O, request: Operations[O]['request'], handler: ReplyHandler<O>): void {
    if (this.#ended) {
      handler.onError(this.#ended);
      return;
    }
    this.#lastId += 1;
    this.#waiting.set(this.#lastId, handler as ReplyHandler<Operation>);
    this.#worker.postMessage({ id: this.#lastId, operation, request } as RequestMessage);
  }

  call<O extends Operation>(operation: O, request: Operations[O]['request']): Promise<Operations[O]['reply']> {
    return new Promise((resolve, reject) => this.post(operation, request, { onReply: resolve, onError: reject }));
  }

  /** Lets the worker answer what was asked before, then ends it. */
  async close(): Promise<void> {
    if (!this.#ended) {
      const closed = this.call('close', undefined);
      this.#ended = closedError();
      await closed;
    }
    await this.#exited;
  }

  #handle({ id, reply, failure }: ReplyMessage): void {
    const handler = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (handler === undefined) return;
    if (failure) {
      handler.onError(fromFailure(failure));
      return;
    }
    try {
      handler.onReply(reply as Operations[Operation]['reply']);
    } catch (cause) {
      // Nobody is left to catch it here, and those who wait for this answer must not wait for ever.
      const message = 'the answer of the storage thread could not be understood';
      handler.onError(new StorageError('Unavailable', message, { cause }));
    }
  }

  #abandon(error: StorageError): void {
    const handlers = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const handler of handlers) handler.onError(error);
  }
}

function fromFailure({ code, message, cause }: Failure): StorageError {
  const original = Object.assign(new Error(cause.message), { name: cause.name, code: cause.code });
  return new StorageError(code, message, { cause: original });
}
