import { wireTypes } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

const capacity = 16;

const scratch = new WireWriter(capacity);

/**
 * What stands before an item whose message has that many bytes, in the field of that number. A list goes out in pieces
 * as the message of a list without items, and behind it each item with its head: items have the last number.
 */
export function itemHead(number: number, length: number): Buffer {
  scratch.start();
  scratch.varint(length);
  scratch.varint((number << 3) | wireTypes.lengthDelimited);
  return scratch.finish();
}
