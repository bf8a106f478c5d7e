import { wireTypes } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

const capacity = 16;

const scratch = new WireWriter(capacity);

/**
 * Returns the bytes that precede a list item whose message has `length` bytes, in the field `number`. A list is sent in
 * chunks: first the message of the list without items, then each item with its head. This works because the items have
 * the highest field number.
 */
export function itemHead(number: number, length: number): Buffer {
  scratch.start();
  scratch.varint(length);
  scratch.varint((number << 3) | wireTypes.lengthDelimited);
  return scratch.finish();
}
