import { encodeJson } from '../../codec/json/index.ts';
import type { WatchEvent } from '../../registry/index.ts';
import type { WatchForm } from '../watch/watch-form.ts';
import { readObject } from './read-object.ts';
import type { Bookmark, Representation } from './representation.ts';

/** How many characters of a backlog are sent at once. */
const chunkLength = 64 * 1024;

/** The frames of live events by the name of their form: all watchers get an event at the same moment. */
const shared = new WeakMap<WatchEvent, Map<string, Buffer>>();

/** The events of one stream in another form. It knows what the client has been told, so every stream has its own. */
export class RepresentedWatchForm implements WatchForm {
  readonly #representation: Representation;
  #isFirst = true;
  /** Something that comes behind the backlog was made as if it were the first. */
  #isLiveBegun = false;
  #isLive = false;

  constructor(representation: Representation) {
    this.#representation = representation;
  }

  *chunks(events: readonly WatchEvent[]): Generator<Buffer> {
    let text = '';
    for (const event of events) {
      text += this.#eventText(event, this.#takeFirst());
      if (text.length < chunkLength) continue;
      yield Buffer.from(text);
      text = '';
    }
    if (text !== '') yield Buffer.from(text);
  }

  frame(event: WatchEvent): Buffer {
    return Buffer.from(this.#eventText(event, this.#takeFirst()));
  }

  /** As long as nobody knows whether there is a backlog, every event may be the first that the client sees. */
  liveFrame(event: WatchEvent): Buffer {
    const isFirst = this.#isLive ? this.#takeFirst() : this.#isFirst;
    this.#isLiveBegun ||= isFirst;
    return isFirst ? Buffer.from(this.#eventText(event, true)) : this.#sharedFrame(event);
  }

  bookmark(bookmark: Bookmark): Buffer {
    return Buffer.from(frameText('BOOKMARK', this.#representation.bookmark(bookmark, this.#takeFirst())));
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

  #sharedFrame(event: WatchEvent): Buffer {
    const { name } = this.#representation;
    const frames = shared.get(event) ?? new Map<string, Buffer>();
    shared.set(event, frames);
    const frame = frames.get(name) ?? Buffer.from(this.#eventText(event, false));
    frames.set(name, frame);
    return frame;
  }

  #eventText({ type, document }: WatchEvent, isFirst: boolean): string {
    return frameText(type, this.#representation.event(readObject(document), isFirst));
  }
}

function frameText(type: string, object: object): string {
  return `{"type":"${type}","object":${encodeJson(object)}}\n`;
}
