import type { LocalEvent } from '../../client/index.ts';
import type { WatchOutput, WatchOutputOptions } from '../../http/watch/watch-output.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent, WatchStream } from '../../registry/index.ts';
import { flushSoon } from '../../streams/turn-end.ts';

/**
 * The maximum size of events that wait for the reader, in bytes of documents. A slower reader is disconnected and must
 * restart.
 */
const budget = 16 * 1024 * 1024;
/** The maximum number of backlog events in the queue. */
const backlogEvents = 1000;

export interface EventQueueOptions extends WatchOutputOptions {
  /** Aborted when the reader stops. Aborting it ends the queue. */
  readonly stop: AbortController;
}

/** A shared abort reason: creating an Error with its stack for every watch would be expensive. */
const endReason = new Error('everything has been read');

/** Passes watch events to a reader in the same process without encoding them. Objects are parsed at most once. */
export class EventQueue implements WatchOutput, AsyncIterable<readonly LocalEvent[]> {
  readonly #stop: AbortController;
  #ready: LocalEvent[] = [];
  /** Events that arrived before the end of the backlog. */
  #early: LocalEvent[] | undefined = [];
  #pendingBytes = 0;
  #isEnded = false;
  #isFlushing = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  constructor({ stop, onEnd }: EventQueueOptions) {
    this.#stop = stop;
    const end = (): void => {
      this.#wakeReader?.();
      this.#wakeWriter?.();
      onEnd();
    };
    if (this.#isStopped) end();
    else stop.signal.addEventListener('abort', end, { once: true });
  }

  get isBehind(): boolean {
    return !this.#isStopped && (this.#early !== undefined || this.#ready.length > 0);
  }

  async writeBacklog(backlog: WatchStream['backlog']): Promise<void> {
    for await (const events of backlog) {
      if (this.#early === undefined || this.#isStopped) return;
      for (const event of events) this.#ready.push(new SharedEvent(event));
      if (this.#ready.length < backlogEvents) continue;
      this.flush();
      // Yields to other work between the chunks of a long list.
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (this.#ready.length > 0 && !this.#isStopped) await this.#whenTaken();
    }
  }

  goLive(last?: ResourceObject): void {
    if (this.#early === undefined) return;
    if (last !== undefined) this.#ready.push(new ObjectEvent('BOOKMARK', last));
    for (const event of this.#early) this.#ready.push(event);
    this.#early = undefined;
    this.flush();
  }

  send(event: WatchEvent): void {
    this.#pendingBytes += event.document.length;
    // A reader that is too slow must restart from the last version that it saw.
    if (this.#pendingBytes > budget) this.#stop.abort(endReason);
    else this.#put(new SharedEvent(event));
  }

  sendBookmark(bookmark: ResourceObject): void {
    this.#put(new ObjectEvent('BOOKMARK', bookmark));
  }

  /** After an incomplete backlog only the error follows, because other events would leave a gap. */
  end(reason?: Status): void {
    if (this.#isEnded) return;
    this.#early = undefined;
    if (reason !== undefined) this.#ready.push(new ObjectEvent('ERROR', { ...reason, metadata: {} }));
    this.#isEnded = true;
    this.flush();
  }

  flush(): void {
    this.#isFlushing = false;
    this.#wakeReader?.();
  }

  #put(event: LocalEvent): void {
    if (this.#isEnded || this.#isStopped) return;
    if (this.#early !== undefined) {
      this.#early.push(event);
      return;
    }
    this.#ready.push(event);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    flushSoon(this);
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #whenTaken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly LocalEvent[]> {
    try {
      while (!this.#isStopped) {
        if (this.#ready.length > 0) {
          const events = this.#ready;
          this.#ready = [];
          if (this.#early === undefined) this.#pendingBytes = 0;
          yield events;
          this.#wakeWriter?.();
        } else if (this.#isEnded) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        }
      }
    } finally {
      this.#stop.abort(endReason);
    }
  }
}

class SharedEvent implements LocalEvent {
  readonly #event: WatchEvent;

  constructor(event: WatchEvent) {
    this.#event = event;
  }

  get type(): LocalEvent['type'] {
    return this.#event.type;
  }

  object(representation: 'whole' | 'metadata'): ResourceObject {
    return representation === 'whole' ? this.#event.object : this.#event.metadata;
  }
}

class ObjectEvent implements LocalEvent {
  readonly type: LocalEvent['type'];
  readonly #object: ResourceObject;

  constructor(type: LocalEvent['type'], object: ResourceObject) {
    this.type = type;
    this.#object = object;
  }

  object(): ResourceObject {
    return this.#object;
  }
}
