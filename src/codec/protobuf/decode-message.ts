import type { StructSchema } from '../../schema/model.ts';
import { messageReader } from './message-reader.ts';
import { WireReader } from './wire-reader.ts';

/**
 * The message of an object as the values that its JSON document would have: what `normalize` takes. Fields that the
 * schema does not know are left out. Zero values that stand on the wire are in the result, too; whether they count is
 * not decided here. Throws `DecodeError`.
 */
export function decodeMessage(schema: StructSchema, bytes: Buffer): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  messageReader(schema)(new WireReader(bytes), object);
  return object;
}
