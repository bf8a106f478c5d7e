import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent } from '../../registry/index.ts';
import { Status as StatusSchema } from '../../schema/meta-types.ts';
import type { Bookmark, EventPosition, Representation } from '../representations/representation.ts';
import type { ObjectEncoding } from '../responses/object-encoding.ts';
import { readObject } from '../responses/read-object.ts';
import type { StreamEncoding } from './plain-watch-format.ts';
import type { Framing, WatchFormat } from './watch-format.ts';
import { chunked } from './watch-frames.ts';

/**
 * Sends the events of one stream in another representation. It is stateful, because only the first event carries the
 * columns of a Table. So every stream has its own.
 */
export class RepresentedWatchFormat implements WatchFormat {
  readonly #representation: Representation;
  readonly #encoding: ObjectEncoding;
  readonly #framing: Framing;
  /** The cache key of frames: streams with the same name share them. */
  readonly #name: string;
  #isFirst = true;
  /** Whether a live event has been encoded as the first event of the stream. */
  #isLiveBegun = false;
  #isLive = false;

  constructor(representation: Representation, { encoding, framing }: StreamEncoding) {
    this.#representation = representation;
    this.#encoding = encoding;
    this.#framing = framing;
    this.#name = `${representation.name} in ${encoding.name} by ${framing.name}`;
  }

  *chunks(events: readonly WatchEvent[]): Generator<Buffer> {
    yield* chunked(events.values().map((event) => this.frame(event)));
  }

  frame(event: WatchEvent): Buffer {
    return this.#eventFrame(event, { isFirst: this.#takeFirst() });
  }

  /** Until the backlog has been written, any live event may turn out to be the first that the client sees. */
  liveFrame(event: WatchEvent): Buffer {
    const isFirst = this.#isLive ? this.#takeFirst() : this.#isFirst;
    this.#isLiveBegun ||= isFirst;
    if (isFirst) return this.#eventFrame(event, { isFirst });
    return event.frameIn(this.#name) ?? event.keepFrame(this.#name, this.#eventFrame(event, { isFirst }));
  }

  bookmark(bookmark: Bookmark): Buffer {
    return this.#valueFrame('BOOKMARK', this.#representation.bookmark(bookmark, { isFirst: this.#takeFirst() }));
  }

  error(status: Status): Buffer {
    return this.#framing('ERROR', this.#encoding.encoder.encode(status, StatusSchema));
  }

  goLive(): void {
    this.#isLive = true;
    if (this.#isLiveBegun) this.#isFirst = false;
  }

  #takeFirst(): boolean {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst;
  }

  #eventFrame({ type, document }: WatchEvent, position: EventPosition): Buffer {
    const cut = this.#encoding.name === 'json' ? this.#representation.cut?.(document) : undefined;
    if (cut !== undefined) return this.#framing(type, cut);
    return this.#valueFrame(type, this.#representation.event(readObject(document), position));
  }

  #valueFrame(type: string, value: object): Buffer {
    const { encoder } = this.#encoding;
    return this.#framing(type, encoder.encode(value, this.#representation.schemas.one));
  }
}
