import { DecodeError } from '../../meta/decode-error.ts';
import type { StructSchema } from '../../schema/model.ts';
import { planMessage } from './plan-message.ts';
import { WireWriter } from './wire-writer.ts';

/** Shared by all calls, because encoding is synchronous. */
const scratch = new WireWriter();

/**
 * Encodes the message of an object, byte for byte as Kubernetes does, without `kind` and `apiVersion`. The object must
 * be in the canonical JSON form that `normalize` produces. Fields that the schema does not define are skipped. Where
 * the schema allows arbitrary JSON, a buffer is taken as encoded bytes. The caller owns the result. Throws
 * `DecodeError` when the object is nested too deeply, because such an object came from a client.
 */
export function encodeMessage(schema: StructSchema, object: Readonly<Record<string, unknown>>): Buffer {
  scratch.start();
  try {
    planMessage(schema).write(scratch, object);
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('exceeded max depth', { cause: error });
    throw error;
  }
  return scratch.finish();
}
