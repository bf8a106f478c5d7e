import type { LocalEvent } from '../client/index.ts';
import { flushSoon } from '../http/watch/flush-soon.ts';
import type { WatchOutlet, WatchOutletOptions } from '../http/watch/watch-outlet.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Status } from '../meta/status-error.ts';
import type { WatchEvent, WatchStream } from '../registry/index.ts';

/** What may wait for the reader, in bytes of documents, before its stream is cut: then it has to begin again. */
const budget = 16 * 1024 * 1024;
/** How many events of a backlog are made at a time. */
const backlogEvents = 1000;

export interface EventQueueOptions extends WatchOutletOptions {
  /** Aborted when nothing more will be read; its abort ends the queue. */
  readonly stop: AbortController;
}

/** Shared: to make a reason for every end would cost more than many a request. */
const over = new Error('everything has been read');

/** The events of a watch on their way to a reader in the same process: nothing is encoded, and what is read is read once. */
export class EventQueue implements WatchOutlet, AsyncIterable<readonly LocalEvent[]> {
  readonly #stop: AbortController;
  #ready: LocalEvent[] = [];
  /** What has been sent before the end of the backlog. */
  #early: LocalEvent[] | undefined = [];
  #waitingBytes = 0;
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
    if (this.#isOver) end();
    else stop.signal.addEventListener('abort', end, { once: true });
  }

  async writeBacklog(backlog: WatchStream['backlog']): Promise<void> {
    for await (const events of backlog) {
      if (this.#early === undefined || this.#isOver) return;
      for (const event of events) this.#ready.push(new SharedEvent(event));
      if (this.#ready.length < backlogEvents) continue;
      this.flush();
      // Others have their turn between the parts of a long list.
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (this.#ready.length > 0 && !this.#isOver) await this.#taken();
    }
  }

  goLive(last?: ResourceObject): void {
    if (this.#early === undefined) return;
    if (last !== undefined) this.#ready.push(new OwnEvent('BOOKMARK', last));
    for (const event of this.#early) this.#ready.push(event);
    this.#early = undefined;
    this.flush();
  }

  send(event: WatchEvent): void {
    this.#waitingBytes += event.document.length;
    // Too slow: the reader has to start again from the last version it saw.
    if (this.#waitingBytes > budget) this.#stop.abort(over);
    else this.#put(new SharedEvent(event));
  }

  sendBookmark(bookmark: ResourceObject): void {
    this.#put(new OwnEvent('BOOKMARK', bookmark));
  }

  /** Behind half a backlog nothing but the reason may follow: there would be a gap. */
  end(reason?: Status): void {
    if (this.#isEnded) return;
    this.#early = undefined;
    if (reason !== undefined) this.#ready.push(new OwnEvent('ERROR', { ...reason, metadata: {} }));
    this.#isEnded = true;
    this.flush();
  }

  flush(): void {
    this.#isFlushing = false;
    this.#wakeReader?.();
  }

  #put(event: LocalEvent): void {
    if (this.#isEnded || this.#isOver) return;
    if (this.#early !== undefined) {
      this.#early.push(event);
      return;
    }
    this.#ready.push(event);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    flushSoon(this);
  }

  get #isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  #taken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly LocalEvent[]> {
    try {
      while (!this.#isOver) {
        if (this.#ready.length > 0) {
          const events = this.#ready;
          this.#ready = [];
          if (this.#early === undefined) this.#waitingBytes = 0;
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
      this.#stop.abort(over);
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

  object(form: 'whole' | 'metadata'): ResourceObject {
    return form === 'whole' ? this.#event.object : this.#event.metadata;
  }
}

class OwnEvent implements LocalEvent {
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
