import { StorageError } from '../storage.ts';
import type { Failure, Operation, Operations, ReplyMessage, RequestMessage } from './protocol.ts';

/** Handles the reply. Called directly from the message event, so replies are handled in the order of the requests. */
export interface ReplyHandler<O extends Operation> {
  readonly onReply: (reply: Operations[O]['reply']) => void;
  readonly onError: (error: StorageError) => void;
}

/** Sends requests to the storage thread and dispatches its replies. */
export abstract class RequestChannel {
  readonly #pending = new Map<number, ReplyHandler<Operation>>();
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
    this.#lastId += 1;
    this.#pending.set(this.#lastId, handler as ReplyHandler<Operation>);
    this.send({ id: this.#lastId, operation, request } as RequestMessage);
  }

  call<O extends Operation>(operation: O, request: Operations[O]['request']): Promise<Operations[O]['reply']> {
    return new Promise((resolve, reject) => this.post(operation, request, { onReply: resolve, onError: reject }));
  }

  protected dispatch({ id, reply, failure }: ReplyMessage): void {
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
      // No caller can catch the error here, and callers that wait for this reply must not wait forever.
      const message = 'the answer of the storage thread could not be understood';
      handler.onError(new StorageError('Unavailable', message, { cause }));
    }
  }

  /** Makes later requests fail with the error. Requests that have been sent are still answered. */
  protected refuse(error: StorageError): void {
    this.#ended ??= error;
  }

  /** Makes pending requests fail, because no more replies will arrive. */
  protected rejectPending(error: StorageError): void {
    const handlers = [...this.#pending.values()];
    this.#pending.clear();
    for (const handler of handlers) handler.onError(error);
  }
}

function fromFailure({ code, message, cause }: Failure): StorageError {
  const original = Object.assign(new Error(cause.message), { name: cause.name, code: cause.code });
  return new StorageError(code, message, { cause: original });
}
