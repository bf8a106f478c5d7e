import { WireReader, wireTypes } from '../../codec/protobuf/wire-reader.ts';
import { WireWriter } from '../../codec/protobuf/wire-writer.ts';

export type ByteMap = Readonly<Record<string, Buffer>>;

/** The types of fields that the messages of key management services have. */
interface FieldTypes {
  readonly text: string;
  readonly bytes: Buffer;
  readonly enumeration: number;
  /** A map from texts to bytes. */
  readonly byteMap: ByteMap;
}
type Fields = Readonly<Record<string, readonly [number: number, type: keyof FieldTypes]>>;
type Message<F extends Fields> = { readonly [K in keyof F]: FieldTypes[F[K][1]] };

/** Converts one protobuf message. Fields that are not described are ignored. */
export interface MessageCodec<M> {
  encode(message: M): Buffer;
  /** Bytes are views into the input. Throws a DecodeError. */
  decode(bytes: Buffer): M;
}

const empty = Buffer.alloc(0);
const scratch = new WireWriter();
const lengthDelimited = (number: number): number => (number << 3) | wireTypes.lengthDelimited;
const [keyField, valueField] = [1, 2];

export function messageCodec<const F extends Fields>(name: string, fields: F): MessageCodec<Message<F>> {
  const entries = Object.entries(fields).sort(([, [one]], [, [other]]) => one - other);
  const blank = Object.fromEntries(entries.map(([field, [, type]]) => [field, absent[type]]));
  return {
    encode(message) {
      scratch.start();
      // The writer works from the end to the start.
      for (const [field, [number, type]] of entries.toReversed()) write(number, type, message[field]!);
      return scratch.finish();
    },
    decode(bytes) {
      const reader = new WireReader(bytes);
      const message: Record<string, unknown> = { ...blank };
      while (reader.next(name)) {
        const found = entries.find(([, [number]]) => number === reader.field);
        if (found === undefined) reader.skip();
        else message[found[0]] = read(reader, found, message[found[0]]);
      }
      return message as Message<F>;
    },
  };
}

const absent: FieldTypes = { text: '', bytes: empty, enumeration: 0, byteMap: {} };

function write(number: number, type: keyof FieldTypes, value: FieldTypes[keyof FieldTypes]): void {
  if (type === 'text') {
    if (value !== '') scratch.text(value as string, lengthDelimited(number));
  } else if (type === 'bytes') {
    if ((value as Buffer).length > 0) writeBytes(number, value as Buffer);
  } else if (type === 'enumeration') {
    if (value === 0) return;
    scratch.varint(value as number);
    scratch.varint((number << 3) | wireTypes.varint);
  } else {
    for (const [key, bytes] of Object.entries(value as ByteMap).reverse()) {
      const before = scratch.size;
      writeBytes(valueField, bytes);
      scratch.text(key, lengthDelimited(keyField));
      scratch.close(before, lengthDelimited(number));
    }
  }
}

function writeBytes(number: number, bytes: Buffer): void {
  const before = scratch.size;
  scratch.raw(bytes);
  scratch.close(before, lengthDelimited(number));
}

function read(reader: WireReader, [name, [, type]]: [string, Fields[string]], before: unknown): unknown {
  reader.expect(type === 'enumeration' ? wireTypes.varint : wireTypes.lengthDelimited, name);
  if (type === 'text') return reader.text();
  if (type === 'bytes') return reader.bytes();
  if (type === 'enumeration') return reader.int32();
  return { ...(before as ByteMap), ...readEntry(reader, name) };
}

function readEntry(reader: WireReader, name: string): ByteMap {
  const outerEnd = reader.enter();
  let key = '';
  let value: Buffer = empty;
  while (reader.next(name)) {
    if (reader.field === keyField) key = reader.text();
    else if (reader.field === valueField) value = reader.bytes();
    else reader.skip();
  }
  reader.leave(outerEnd);
  return { [key]: value };
}
