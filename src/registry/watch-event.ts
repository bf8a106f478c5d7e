import type { ResourceObject } from '../meta/object.ts';
import type { ObjectEvent, StoredObject } from '../store/index.ts';
import { metadataOf, readUnmanaged, readUnmanagedMetadata } from './unmanaged-object.ts';

export type WatchEventType = ObjectEvent['type'];

/** A change as watchers of one served type see it. All of them get the same event, so it is encoded only once. */
export class WatchEvent {
  readonly type: WatchEventType;
  /** The document of the object, with a trailing line feed. */
  readonly document: Buffer;
  #key: unknown;
  #frame: Buffer | undefined;
  #others: Map<unknown, Buffer> | undefined;
  #object: ResourceObject | undefined;
  #metadata: ResourceObject | undefined;

  constructor(type: WatchEventType, document: Buffer) {
    this.type = type;
    this.document = document;
  }

  /**
   * The object without its managed fields, for watchers in the same process. It is parsed once, shared, and must not be
   * changed.
   */
  get object(): ResourceObject {
    this.#object ??= readUnmanaged(this.document);
    return this.#object;
  }

  /** Like `object`, with the metadata only. */
  get metadata(): ResourceObject {
    this.#metadata ??= this.#object ? metadataOf(this.#object) : readUnmanagedMetadata(this.document);
    return this.#metadata;
  }

  /** The cached frame for streams with this key. Shared, so it must not be changed. */
  frameIn(key: unknown): Buffer | undefined {
    return this.#key === key ? this.#frame : this.#others?.get(key);
  }

  /** Caches and returns the frame for other streams with this key. */
  keepFrame(key: unknown, frame: Buffer): Buffer {
    if (this.#frame === undefined) {
      this.#key = key;
      this.#frame = frame;
    } else {
      this.#others ??= new Map();
      this.#others.set(key, frame);
    }
    return frame;
  }
}

/** Returns an object as clients of the type see it, with the given resourceVersion. */
type DocumentAt = (object: StoredObject, revision: number) => Buffer;

/**
 * Caches the events for the current change. Every watcher receives a change before the next one is processed, so
 * nothing older is kept.
 */
export class SharedWatchEvents {
  readonly #document: DocumentAt;
  #event: ObjectEvent | undefined;
  readonly #events: Record<WatchEventType, WatchEvent | undefined> = {
    ADDED: undefined,
    MODIFIED: undefined,
    DELETED: undefined,
  };

  constructor(document: DocumentAt) {
    this.#document = document;
  }

  /** Returns the change as an event of this type. A deletion shows the last state, with the version of the deletion. */
  of(event: ObjectEvent, type: WatchEventType): WatchEvent {
    if (this.#event !== event) {
      this.#event = event;
      this.#events.ADDED = undefined;
      this.#events.MODIFIED = undefined;
      this.#events.DELETED = undefined;
    }
    this.#events[type] ??= new WatchEvent(type, this.#shown(event, type));
    return this.#events[type];
  }

  #shown({ type, object, previous }: ObjectEvent, as: WatchEventType): Buffer {
    return this.#document(as === 'DELETED' && type !== 'DELETED' ? previous! : object, object.revision);
  }
}
