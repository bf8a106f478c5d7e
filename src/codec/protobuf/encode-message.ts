import { DecodeError } from '../../meta/decode-error.ts';
import type { StructSchema } from '../../schema/model.ts';
import { planMessage } from './plan-message.ts';
import { WireWriter } from './wire-writer.ts';
import { envelopeTail, type TypeMeta, writeEnvelopeHead } from './write-envelope.ts';

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
  writeMessage(schema, object);
  return scratch.finish();
}

/** Encodes the message of an object in the envelope of its type, without a copy of the message. */
export function encodeEnveloped(
  type: TypeMeta,
  { schema, object }: { readonly schema: StructSchema; readonly object: Readonly<Record<string, unknown>> },
): Buffer {
  scratch.start();
  scratch.raw(envelopeTail);
  const before = scratch.size;
  writeMessage(schema, object);
  writeEnvelopeHead(scratch, type, scratch.size - before);
  return scratch.finish();
}

function writeMessage(schema: StructSchema, object: Readonly<Record<string, unknown>>): void {
  try {
    planMessage(schema).write(scratch, object);
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('exceeded max depth', { cause: error });
    throw error;
  }
}
