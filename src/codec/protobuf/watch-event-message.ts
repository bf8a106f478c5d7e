import { WatchEvent } from '../../schema/meta-types.ts';
import { encodeMessage } from './encode-message.ts';

const lengthBytes = 4;

/** Encodes one watch event. The event has no envelope; the object in it does. */
export function watchEventMessage(type: string, object: Buffer): Buffer {
  return encodeMessage(WatchEvent, { type, object });
}

/** Encodes one event of a stream, in which each event is preceded by its length. */
export function watchEventFrame(type: string, object: Buffer): Buffer {
  const message = watchEventMessage(type, object);
  const frame = Buffer.allocUnsafe(lengthBytes + message.length);
  frame.writeUInt32BE(message.length);
  message.copy(frame, lengthBytes);
  return frame;
}
