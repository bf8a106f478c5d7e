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

/** A request for a certificate, taken apart. Nothing of it is proven before its signature is. */
export interface RequestParts {
  /** What the signature is about. */
  readonly signed: Buffer;
  readonly subject: DerElement;
  readonly key: DerElement;
  /** What follows behind the key. */
  readonly rest: DerReader;
  /** How it is signed, and what follows behind that. */
  readonly algorithm: string;
  readonly parameters: DerReader;
  readonly signature: Buffer;
}

/** Of base64 of PEM. Undefined when that is no request at all; throws a `DerError` when the request is malformed. */
export function requestParts(request: string): RequestParts | undefined {
  const block = nextPemBlock(Buffer.from(request, 'base64').toString('latin1'));
  return block?.type === 'CERTIFICATE REQUEST' ? derRequestParts(block.bytes) : undefined;
}

/** Of DER. Throws a `DerError` when the request is malformed. */
export function derRequestParts(bytes: Buffer): RequestParts {
  const outer = new DerReader(bytes);
  const whole = outer.next(sequenceTag);
  if (!outer.atEnd) throw new DerError('asn1: syntax error: trailing data');
  const parts = new DerReader(whole.content);
  const information = parts.next(sequenceTag);
  const parameters = new DerReader(parts.next(sequenceTag).content);
  const algorithm = parameters.next(objectIdentifierTag);
  const signature = parts.next(bitStringTag).content;
  const rest = new DerReader(information.content);
  rest.next(integerTag);
  return {
    signed: information.whole,
    subject: rest.next(sequenceTag),
    key: rest.next(sequenceTag),
    rest,
    algorithm: objectIdentifier(algorithm),
    parameters,
    // The first byte says how many bits at the end do not count: none do here.
    signature: signature.subarray(1),
  };
}
