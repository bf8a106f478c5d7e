import type { ResourceObject } from '../meta/object.ts';
import type { ObjectEvent, StoredObject } from '../store/index.ts';
import { metadataOf, readUnmanaged, readUnmanagedMetadata } from './unmanaged-object.ts';

export type WatchEventType = ObjectEvent['type'];

/** A change as watchers of one served type see it. All of them get the same object, so that it is framed once. */
export class WatchEvent {
  readonly type: WatchEventType;
  /** The object's document, with a line feed at its end. */
  readonly document: Buffer;
  #form: unknown;
  #frame: Buffer | undefined;
  #others: Map<unknown, Buffer> | undefined;
  #object: ResourceObject | undefined;
  #metadata: ResourceObject | undefined;

  constructor(type: WatchEventType, document: Buffer) {
    this.type = type;
    this.document = document;
  }

  /** For those in the same process: without its managed fields, read once for all of them, and not to be changed. */
  get object(): ResourceObject {
    this.#object ??= readUnmanaged(this.document);
    return this.#object;
  }

  /** The same with nothing but its metadata. */
  get metadata(): ResourceObject {
    this.#metadata ??= this.#object ? metadataOf(this.#object) : readUnmanagedMetadata(this.document);
    return this.#metadata;
  }

  /** What was kept for streams of this form. Shared: it must not be changed. */
  frameIn(form: unknown): Buffer | undefined {
    return this.#form === form ? this.#frame : this.#others?.get(form);
  }

  /** Keeps the frame for the other streams of a form. Returns it. */
  keepFrame(form: unknown, frame: Buffer): Buffer {
    if (this.#frame === undefined) {
      this.#form = form;
      this.#frame = frame;
    } else {
      this.#others ??= new Map();
      this.#others.set(form, frame);
    }
    return frame;
  }
}

/**
 * The forms in which the event of the moment is shown: every watcher gets it before the next one comes, so nothing older needs
 * to be kept.
 */
export class SharedWatchEvents {
  readonly #document: (object: StoredObject) => Buffer;
  #event: ObjectEvent | undefined;
  readonly #forms: Record<WatchEventType, WatchEvent | undefined> = {
    ADDED: undefined,
    MODIFIED: undefined,
    DELETED: undefined,
  };

  /** `document` gives an object as clients of the type see it. */
  constructor(document: (object: StoredObject) => Buffer) {
    this.#document = document;
  }

  /** The event as one of this type. As a deletion it shows the state before it, under the version of the event. */
  of(event: ObjectEvent, type: WatchEventType): WatchEvent {
    if (this.#event !== event) {
      this.#event = event;
      this.#forms.ADDED = undefined;
      this.#forms.MODIFIED = undefined;
      this.#forms.DELETED = undefined;
    }
    this.#forms[type] ??= new WatchEvent(type, this.#document(shown(event, type)));
    return this.#forms[type];
  }
}

function shown({ type, object, previous }: ObjectEvent, as: WatchEventType): StoredObject {
  return as === 'DELETED' && type !== 'DELETED' ? previous!.withRevision(object.revision) : object;
}
