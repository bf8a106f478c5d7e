import { envelopePrefix } from './read-envelope.ts';
import { WireWriter } from './wire-writer.ts';

/** What an envelope says of its content. */
export interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Tags of the envelope and of the type in it, all before bytes. */
const field1 = 0x0a;
const field2 = 0x12;

/** Behind the content: neither encoding nor content type are stated, for there is but one of each. */
export const envelopeTail = Buffer.from([0x1a, 0x00, 0x22, 0x00]);

const scratch = new WireWriter();

/** What stands around every protobuf object on the wire, around the bytes of its message. */
export function writeEnvelope(type: TypeMeta, raw: Buffer): Buffer {
  return Buffer.concat([envelopeHead(type, raw.length), raw, envelopeTail]);
}

/** For content that goes out in pieces: they follow the head, `rawLength` bytes in all, and `envelopeTail` ends it. */
export function envelopeHead({ kind, apiVersion }: TypeMeta, rawLength: number): Buffer {
  scratch.start();
  scratch.varint(rawLength);
  scratch.varint(field2);
  const before = scratch.size;
  scratch.text(kind, field2);
  scratch.text(apiVersion, field1);
  scratch.close(before, field1);
  scratch.raw(envelopePrefix);
  return scratch.finish();
}
