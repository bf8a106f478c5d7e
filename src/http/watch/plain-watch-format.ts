import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent } from '../../registry/index.ts';
import { Status as StatusSchema } from '../../schema/meta-types.ts';
import type { Bookmark } from '../representations/representation.ts';
import type { ObjectEncoding, ObjectType } from '../responses/object-encoding.ts';
import type { Framing, WatchFormat } from './watch-format.ts';
import { chunked } from './watch-frames.ts';

/** The encoding and framing of a stream. */
export interface StreamEncoding {
  readonly encoding: ObjectEncoding;
  readonly framing: Framing;
}

/** Sends unconverted objects in an encoding other than JSON. */
export class PlainWatchFormat implements WatchFormat {
  readonly #type: ObjectType;
  readonly #encoding: ObjectEncoding;
  /** Also the cache key of frames: streams with the same framing share them. */
  readonly #framing: Framing;

  constructor(type: ObjectType, { encoding, framing }: StreamEncoding) {
    this.#type = type;
    this.#encoding = encoding;
    this.#framing = framing;
  }

  *chunks(events: readonly WatchEvent[]): Generator<Buffer> {
    yield* chunked(events.values().map((event) => this.frame(event)));
  }

  frame({ type, document }: WatchEvent): Buffer {
    return this.#framing(type, this.#encoding.object(document, this.#type));
  }

  liveFrame(event: WatchEvent): Buffer {
    return event.frameIn(this.#framing) ?? event.keepFrame(this.#framing, this.frame(event));
  }

  bookmark(bookmark: Bookmark): Buffer {
    return this.#framing('BOOKMARK', this.#encoding.encoder.encode(bookmark, this.#type.schema));
  }

  error(status: Status): Buffer {
    return this.#framing('ERROR', this.#encoding.encoder.encode(status, StatusSchema));
  }

  goLive(): void {}
}
