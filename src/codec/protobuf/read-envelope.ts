import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { mediaTypes } from '../media-types.ts';
import { WireReader, wireTypes } from './wire-reader.ts';

/** The wrapper around every protobuf object on the wire. */
export interface Envelope {
  /** Kind and apiVersion are empty when the object does not state its type. */
  readonly kind: string;
  readonly apiVersion: string;
  /** The message: a view into the input. */
  readonly raw: Buffer;
}

/** `k8s` and a zero byte, which identifies the format. */
export const envelopePrefix = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
const nothing = Buffer.alloc(0);
const contentTypes: readonly string[] = mediaTypes.find(({ encoding }) => encoding === 'protobuf')!.names;

/** Throws `DecodeError`, also when the content encoding or content type is not supported. */
export function readEnvelope(body: Buffer): Envelope {
  if (body.length === 0) throw new DecodeError('empty data');
  if (!body.subarray(0, envelopePrefix.length).equals(envelopePrefix)) {
    const expected = `expected prefix [${envelopePrefix.join(' ')}]`;
    throw new DecodeError(`provided data does not appear to be a protobuf message, ${expected}`);
  }
  if (body.length === envelopePrefix.length) throw new DecodeError('empty body');
  const reader = new WireReader(body.subarray(envelopePrefix.length));
  const type = { kind: '', apiVersion: '' };
  let raw: Buffer = nothing;
  while (reader.next('Unknown')) {
    if (reader.field === 1) readTypeMeta(reader, type);
    else if (reader.field === 2) raw = readRaw(reader);
    else if (reader.field === 3) checkEncoding(reader);
    else if (reader.field === 4) checkType(reader);
    else reader.skip();
  }
  return { ...type, raw };
}

function readRaw(reader: WireReader): Buffer {
  reader.expect(wireTypes.lengthDelimited, 'raw');
  return reader.bytes();
}

function checkEncoding(reader: WireReader): void {
  reader.expect(wireTypes.lengthDelimited, 'contentEncoding');
  const encoding = reader.text();
  if (encoding !== '') throw new DecodeError(`unsupported contentEncoding ${goQuote(encoding)}`);
}

function checkType(reader: WireReader): void {
  reader.expect(wireTypes.lengthDelimited, 'contentType');
  const type = reader.text();
  if (type !== '' && !contentTypes.includes(type)) throw new DecodeError(`unsupported contentType ${goQuote(type)}`);
}

function readTypeMeta(reader: WireReader, type: { kind: string; apiVersion: string }): void {
  reader.expect(wireTypes.lengthDelimited, 'typeMeta');
  const outerEnd = reader.enter();
  while (reader.next('TypeMeta')) {
    const name = reader.field === 1 ? 'apiVersion' : reader.field === 2 ? 'kind' : undefined;
    if (name === undefined) {
      reader.skip();
    } else {
      reader.expect(wireTypes.lengthDelimited, name);
      type[name] = reader.text();
    }
  }
  reader.leave(outerEnd);
}
