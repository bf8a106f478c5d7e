import type { Writer } from 'protobufjs/minimal.js';
import { encodeYaml } from '../../codec/yaml/index.ts';

/**
 * The building blocks that describe the protobuf encoding of OpenAPI documents (that of the gnostic project): how each
 * JSON key becomes a field of a message.
 */
export type FieldWriter = (writer: Writer, value: never) => void;

const varint = 0;
const fixed64 = 1;
const delimited = 2;
const tag = (number: number, wireType: number): number => (number << 3) | wireType;

export function string(number: number): FieldWriter {
  return (writer, value: string) => writer.uint32(tag(number, delimited)).string(value);
}

export function bool(number: number): FieldWriter {
  return (writer, value: boolean) => writer.uint32(tag(number, varint)).bool(value);
}

export function int64(number: number): FieldWriter {
  return (writer, value: number) => writer.uint32(tag(number, varint)).int64(value);
}

export function double(number: number): FieldWriter {
  return (writer, value: number) => writer.uint32(tag(number, fixed64)).double(value);
}

/** A nested message. `content` writes its fields. */
export function message(number: number, content: FieldWriter): FieldWriter {
  return (writer, value) => {
    writer.uint32(tag(number, delimited)).fork();
    content(writer, value);
    writer.ldelim();
  };
}

export function repeated(element: FieldWriter): FieldWriter {
  return (writer, values: readonly never[]) => {
    for (const value of values) element(writer, value);
  };
}

/** A value of any type, which the messages carry as YAML. */
export function any(number: number): FieldWriter {
  const yaml = string(2);
  return message(number, (writer, value) => yaml(writer, encodeYaml(value) as never));
}

/** A JSON object with free keys: a repeated message of name and value. */
export function namedValues(number: number, value: (number: number) => FieldWriter): FieldWriter {
  const entry = pairOf(value(2));
  const entryMessage = message(number, entry);
  return (writer, values: Readonly<Record<string, never>>) => {
    for (const pair of Object.entries(values)) entryMessage(writer, pair as never);
  };
}

function pairOf(value: FieldWriter): FieldWriter {
  const name = string(1);
  return (writer, pair: readonly [string, never]) => {
    name(writer, pair[0] as never);
    value(writer, pair[1]);
  };
}

/** A message with a field for each of the given keys. Extensions (`x-...`) are collected in the field `extensions`. */
export function fields(table: Readonly<Record<string, FieldWriter>>, extensions: number): FieldWriter {
  const extension = message(extensions, pairOf(any(2)));
  return (writer, value: Readonly<Record<string, never>>) => {
    for (const [key, content] of Object.entries(value)) {
      const field = table[key];
      if (field !== undefined) field(writer, content);
      else if (key.startsWith('x-')) extension(writer, [key, content] as never);
    }
  };
}
