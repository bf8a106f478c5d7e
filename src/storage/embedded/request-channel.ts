import { StorageError } from '../storage.ts';
import type { Failure, Operation, Operations, ReplyMessage, RequestMessage } from './protocol.ts';

/** Handles the reply. Called directly from the message event, so replies are handled in the order of the requests. */
export interface ReplyHandler<O extends Operation> {
  readonly onReply: (reply: Operations[O]['reply']) => void;
  readonly onError: (error: StorageError) => void;
}

/** Reads in chunks. Many can be wanted at once, for example when watches resume after a restart. */
const chunkedReads: ReadonlySet<Operation> = new Set(['range', 'count', 'replay']);
/** Few, because a commit waits for the reads that were sent before it. Two keep the storage thread busy. */
const maxChunkedReads = 2;

interface PendingRequest {
  readonly operation: Operation;
  readonly handler: ReplyHandler<Operation>;
}

/** Sends requests to the storage thread and dispatches its replies. */
export abstract class RequestChannel {
  readonly #pending = new Map<number, PendingRequest>();
  /** Chunked reads that have not been sent. */
  readonly #waiting: (PendingRequest & { readonly request: unknown })[] = [];
  /** The number of chunked reads that have been sent and not been answered. */
  #reading = 0;
  #lastId = 0;
  #ended: StorageError | undefined;

  protected abstract send(message: RequestMessage): void;

  /** Waits until the storage thread has answered all earlier requests, then releases the channel. */
  abstract close(): Promise<void>;

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  post<O extends Operation>(operation: O, request: Operations[O]['request'], handler: ReplyHandler<O>): void {
    if (this.#ended) {
      handler.onError(this.#ended);
      return;
    }
    const pending = { operation, handler: handler as ReplyHandler<Operation> };
    if (!chunkedReads.has(operation)) {
      this.#send(pending, request);
      return;
    }
    this.#waiting.push({ ...pending, request });
    this.#sendReads();
  }

  call<O extends Operation>(operation: O, request: Operations[O]['request']): Promise<Operations[O]['reply']> {
    return new Promise((resolve, reject) => this.post(operation, request, { onReply: resolve, onError: reject }));
  }

  protected dispatch({ id, reply, failure }: ReplyMessage): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    const { operation, handler } = pending;
    if (chunkedReads.has(operation)) {
      this.#reading -= 1;
      this.#sendReads();
    }
    if (failure) {
      handler.onError(fromFailure(failure));
      return;
    }
    try {
      handler.onReply(reply as Operations[Operation]['reply']);
    } catch (cause) {
      // No caller can catch the error here, and callers that wait for this reply must not wait forever.
      const message = 'the answer of the storage thread could not be understood';
      handler.onError(new StorageError('Unavailable', message, { cause }));
    }
  }

  /** Makes requests that have not been sent fail with the error. Requests that have been sent are still answered. */
  protected refuse(error: StorageError): void {
    this.#ended ??= error;
    for (const { handler } of this.#waiting.splice(0)) handler.onError(error);
  }

  /** Makes pending requests fail, because no more replies will arrive. */
  protected rejectPending(error: StorageError): void {
    const requests = [...this.#pending.values(), ...this.#waiting.splice(0)];
    this.#pending.clear();
    this.#reading = 0;
    for (const { handler } of requests) handler.onError(error);
  }

  #sendReads(): void {
    while (this.#reading < maxChunkedReads) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#reading += 1;
      this.#send(next, next.request);
    }
  }

  #send(pending: PendingRequest, request: unknown): void {
    this.#lastId += 1;
    this.#pending.set(this.#lastId, pending);
    this.send({ id: this.#lastId, operation: pending.operation, request } as RequestMessage);
  }
}

function fromFailure({ code, message, cause }: Failure): StorageError {
  const original = Object.assign(new Error(cause.message), { name: cause.name, code: cause.code });
  return new StorageError(code, message, { cause: original });
}
