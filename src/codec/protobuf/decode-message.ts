import type { StructSchema } from '../../schema/model.ts';
import { messageReader } from './message-reader.ts';
import { WireReader } from './wire-reader.ts';

/**
 * Decodes the message of an object to the values of its JSON document, which is the input of `normalize`. Fields that
 * the schema does not define are skipped. Zero values that are on the wire are kept; the caller decides whether they
 * count. Throws `DecodeError`.
 */
export function decodeMessage(schema: StructSchema, bytes: Buffer): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  messageReader(schema)(new WireReader(bytes), object);
  return object;
}
