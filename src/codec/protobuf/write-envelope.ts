import { envelopePrefix } from './read-envelope.ts';
import { WireWriter } from './wire-writer.ts';

/** The type that an envelope states. */
export interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Tags of length-delimited fields, in the envelope and in its TypeMeta. */
const field1 = 0x0a;
const field2 = 0x12;

/** Follows the content. The content encoding and content type are empty, because only one of each is supported. */
export const envelopeTail = Buffer.from([0x1a, 0x00, 0x22, 0x00]);

const scratch = new WireWriter();

/** Wraps the bytes of a message in the envelope of a protobuf object. */
export function writeEnvelope(type: TypeMeta, raw: Buffer): Buffer {
  return Buffer.concat([envelopeHead(type, raw.length), raw, envelopeTail]);
}

/** For content sent in chunks: `rawLength` bytes in total must follow the head, and then `envelopeTail`. */
export function envelopeHead(type: TypeMeta, rawLength: number): Buffer {
  scratch.start();
  writeEnvelopeHead(scratch, type, rawLength);
  return scratch.finish();
}

/** Writes the head in front of the content. */
export function writeEnvelopeHead(writer: WireWriter, { kind, apiVersion }: TypeMeta, rawLength: number): void {
  writer.varint(rawLength);
  writer.varint(field2);
  const before = writer.size;
  writer.text(kind, field2);
  writer.text(apiVersion, field1);
  writer.close(before, field1);
  writer.raw(envelopePrefix);
}
