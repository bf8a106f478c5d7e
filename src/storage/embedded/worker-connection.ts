import type { TransferListItem, Worker } from 'node:worker_threads';
import { closedError } from '../preconditions.ts';
import { StorageError } from '../storage.ts';
import type { ReplyMessage, RequestMessage } from './protocol.ts';
import { RequestChannel } from './request-channel.ts';

/** A connection to a dedicated worker. When the worker dies, all pending and later requests fail with `Unavailable`. */
export class WorkerConnection extends RequestChannel {
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;

  /** `onExit` is called at most once, and not when the worker exits because of `close`. */
  constructor(worker: Worker, onExit: (error: StorageError) => void) {
    super();
    this.#worker = worker;
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('message', (message: ReplyMessage) => this.dispatch(message));
    const fail = (cause: unknown): void => {
      const error = new StorageError('Unavailable', 'the storage thread has ended unexpectedly', { cause });
      this.rejectPending(error);
      if (this.isEnded) return;
      this.refuse(error);
      onExit(error);
    };
    this.#worker.on('error', fail);
    this.#worker.on('messageerror', fail);
    this.#worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
  }

  async close(): Promise<void> {
    if (!this.isEnded) {
      const closed = this.call('close', undefined);
      this.refuse(closedError());
      await closed;
    }
    await this.#exited;
  }

  protected send(message: RequestMessage): void {
    const transferred: TransferListItem[] = message.operation === 'connect' ? [message.request.port] : [];
    this.#worker.postMessage(message, transferred);
  }
}
