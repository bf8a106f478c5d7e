import {
  bitStringTag,
  type DerElement,
  DerError,
  DerReader,
  integerTag,
  objectIdentifier,
  objectIdentifierTag,
  sequenceTag,
} from './der-reader.ts';
import { nextPemBlock } from './pem.ts';

/** A decoded certificate request. Its content is untrusted until the signature is verified. */
export interface DecodedRequest {
  /** The signed bytes. */
  readonly signed: Buffer;
  readonly subject: DerElement;
  readonly key: DerElement;
  /** Positioned after the key. */
  readonly rest: DerReader;
  /** The object identifier of the signature algorithm. */
  readonly algorithm: string;
  /** Positioned after the algorithm. */
  readonly parameters: DerReader;
  readonly signature: Buffer;
}

/** Decodes base64 of PEM. Returns undefined for other PEM types. Throws a `DerError` when the request is malformed. */
export function decodePemRequest(request: string): DecodedRequest | undefined {
  const block = nextPemBlock(Buffer.from(request, 'base64').toString('latin1'));
  return block?.type === 'CERTIFICATE REQUEST' ? decodeDerRequest(block.bytes) : undefined;
}

/** Throws a `DerError` when the request is malformed. */
export function decodeDerRequest(bytes: Buffer): DecodedRequest {
  const outer = new DerReader(bytes);
  const whole = outer.next(sequenceTag);
  if (!outer.atEnd) throw new DerError('asn1: syntax error: trailing data');
  const elements = new DerReader(whole.content);
  const information = elements.next(sequenceTag);
  const parameters = new DerReader(elements.next(sequenceTag).content);
  const algorithm = parameters.next(objectIdentifierTag);
  const signature = elements.next(bitStringTag).content;
  const rest = new DerReader(information.content);
  rest.next(integerTag);
  return {
    signed: information.whole,
    subject: rest.next(sequenceTag),
    key: rest.next(sequenceTag),
    rest,
    algorithm: objectIdentifier(algorithm),
    parameters,
    // The first byte of a bit string is the number of unused bits, which is zero here.
    signature: signature.subarray(1),
  };
}
