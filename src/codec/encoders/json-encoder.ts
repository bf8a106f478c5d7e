import { encodeJson, utf8Bytes } from '../json/index.ts';
import { type Encoder, emptyBytes } from './encoder.ts';

const comma = Buffer.from(',');
const listEnd = Buffer.from(']}\n');
const frameEnd = Buffer.from('}\n');
const frameStarts = new Map<string, Buffer>();

/** Compact JSON, with one document or event per line. */
export const jsonEncoder: Encoder = {
  isBinary: false,
  encode: (value) => utf8Bytes(`${encodeJson(value)}\n`),
  item: (value) => utf8Bytes(encodeJson(value)),
  openList({ value, field }) {
    const head = Buffer.from(`${encodeJson(value).slice(0, -1)},"${field}":[`);
    return {
      needsSize: false,
      head: () => head,
      beforeFirst: () => emptyBytes,
      beforeNext: () => comma,
      tail: listEnd,
    };
  },
  frame: jsonFrame,
  message: jsonFrame,
};

function jsonFrame(type: string, object: Buffer): Buffer {
  const start = frameStart(type);
  // The closing brace replaces the document's trailing newline.
  const frame = Buffer.allocUnsafe(start.length + object.length + 1);
  start.copy(frame, 0);
  object.copy(frame, start.length);
  frameEnd.copy(frame, frame.length - frameEnd.length);
  return frame;
}

function frameStart(type: string): Buffer {
  let start = frameStarts.get(type);
  if (start === undefined) {
    start = Buffer.from(`{"type":"${type}","object":`);
    frameStarts.set(type, start);
  }
  return start;
}
