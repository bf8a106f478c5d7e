import { WatchEvent } from '../../schema/meta-types.ts';
import { encodeMessage } from './encode-message.ts';

const lengthBytes = 4;

/** One event of a watch. It has no envelope of its own; that of the object is in `object`. */
export function watchEventMessage(type: string, object: Buffer): Buffer {
  return encodeMessage(WatchEvent, { type, object });
}

/** The event as it goes into a stream, which tells events apart by the length before each. */
export function watchEventFrame(type: string, object: Buffer): Buffer {
  const message = watchEventMessage(type, object);
  const frame = Buffer.allocUnsafe(lengthBytes + message.length);
  frame.writeUInt32BE(message.length);
  message.copy(frame, lengthBytes);
  return frame;
}
