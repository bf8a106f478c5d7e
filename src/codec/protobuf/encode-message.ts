import { DecodeError } from '../../meta/decode-error.ts';
import type { StructSchema } from '../../schema/model.ts';
import { planMessage } from './plan-message.ts';
import { WireWriter } from './wire-writer.ts';

/** Shared by all: nothing awaits while a message is written. */
const scratch = new WireWriter();

/**
 * The message of an object, byte for byte as Kubernetes writes it; `kind` and `apiVersion` are no part of it. The
 * object has the canonical JSON form, as `normalize` makes it; what the schema does not know is left out. Where JSON
 * of any type may stand, a buffer is taken as ready bytes. The result is the caller's. An object that is nested too
 * deep to be written came from a client; that is a `DecodeError`.
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
