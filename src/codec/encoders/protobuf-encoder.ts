import type { StructSchema } from '../../schema/model.ts';
import {
  encodeEnveloped,
  encodeMessage,
  envelopeHead,
  envelopeTail,
  itemHead,
  watchEventFrame,
  watchEventMessage,
  writeEnvelope,
} from '../protobuf/index.ts';
import type { Encoder } from './encoder.ts';

/** Objects are wrapped in an envelope that states their type. List items are not. */
export const protobufEncoder: Encoder = {
  isBinary: true,
  encode: (value, schema) =>
    encodeEnveloped(typeOf(value), { schema: known(schema), object: value as Record<string, unknown> }),
  item: (value, schema) => encodeMessage(known(schema), value as Record<string, unknown>),
  wrap: (item, type) => writeEnvelope(type, item),
  openList({ value, field, schema }) {
    const type = typeOf(value);
    // The items have the highest field number, so all other fields precede them.
    const rest = encodeMessage(schema, value as Record<string, unknown>);
    const { number } = schema.fields.find(({ name }) => name === field)!;
    const before = (length: number): Buffer => itemHead(number, length);
    return {
      needsSize: true,
      head: (itemsSize) => Buffer.concat([envelopeHead(type, rest.length + itemsSize), rest]),
      beforeFirst: before,
      beforeNext: before,
      tail: envelopeTail,
    };
  },
  frame: watchEventFrame,
  message: watchEventMessage,
};

/** Returns the type for the envelope. */
function typeOf(value: object): { kind: string; apiVersion: string } {
  const { kind = '', apiVersion = '' } = value as { kind?: string; apiVersion?: string };
  return { kind, apiVersion };
}

function known(schema: StructSchema | undefined): StructSchema {
  if (schema === undefined) throw new TypeError('protobuf is written by a schema only');
  return schema;
}
