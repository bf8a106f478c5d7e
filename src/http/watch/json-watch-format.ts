import { encoders } from '../../codec/encoders/index.ts';
import type { Status } from '../../meta/status-error.ts';
import type { WatchEvent } from '../../registry/index.ts';
import type { Bookmark } from '../representations/representation.ts';
import type { WatchFormat } from './watch-format.ts';

const chunkSize = 64 * 1024;
const frameEnd = Buffer.from('}\n');
const frameStart = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const { json } = encoders;

/** Sends the stored JSON documents without encoding them. */
export class JsonWatchFormat implements WatchFormat {
  /** Copies every document once, into the chunk that is sent. */
  *chunks(events: readonly WatchEvent[]): Generator<Buffer> {
    let pieces: Buffer[] = [];
    let size = 0;
    for (const { type, document } of events) {
      pieces.push(frameStart[type], document.subarray(0, -1), frameEnd);
      size += frameStart[type].length + document.length - 1 + frameEnd.length;
      if (size < chunkSize) continue;
      yield Buffer.concat(pieces, size);
      pieces = [];
      size = 0;
    }
    if (size > 0) yield Buffer.concat(pieces, size);
  }

  frame({ type, document }: WatchEvent): Buffer {
    return json.frame(type, document);
  }

  liveFrame(event: WatchEvent): Buffer {
    return event.frameIn(json) ?? event.keepFrame(json, this.frame(event));
  }

  bookmark(bookmark: Bookmark): Buffer {
    return json.frame('BOOKMARK', json.encode(bookmark, undefined));
  }

  error(status: Status): Buffer {
    return json.frame('ERROR', json.encode(status, undefined));
  }

  goLive(): void {}
}
