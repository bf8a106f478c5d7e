import protobuf, { type Writer } from 'protobufjs/minimal.js';
import type { Span } from './span.ts';

// Messages of OTLP 1.x by their field numbers: trace.proto, resource.proto, common.proto.

const lengthDelimited = (field: number): number => (field << 3) | 2;
const varint = (field: number): number => field << 3;
const fixed64 = (field: number): number => (field << 3) | 1;
const internal = 1;
const server = 2;
const errorCode = 2;

export type Attributes = Readonly<Record<string, string | number>>;

/** An ExportTraceServiceRequest. */
export function encodeSpans(spans: readonly Span[], resource: Attributes): Buffer {
  const writer = protobuf.Writer.create();
  writer.uint32(lengthDelimited(1)).fork();
  writer.uint32(lengthDelimited(1)).fork();
  writeAttributes(writer, 1, resource);
  writer.ldelim();
  writer.uint32(lengthDelimited(2)).fork();
  writer.uint32(lengthDelimited(1)).fork().uint32(lengthDelimited(1)).string('keelson').ldelim();
  for (const span of spans) writeSpan(writer.uint32(lengthDelimited(2)).fork(), span).ldelim();
  return Buffer.from(writer.ldelim().ldelim().finish());
}

function writeSpan(writer: Writer, span: Span): Writer {
  writer.uint32(lengthDelimited(1)).bytes(span.traceId);
  writer.uint32(lengthDelimited(2)).bytes(span.spanId);
  if (span.traceState !== '') writer.uint32(lengthDelimited(3)).string(span.traceState);
  if (span.parentId !== undefined) writer.uint32(lengthDelimited(4)).bytes(span.parentId);
  writer.uint32(lengthDelimited(5)).string(span.name);
  writer.uint32(varint(6)).int32(span.isServer ? server : internal);
  writeTime(writer, 7, span.startMs);
  writeTime(writer, 8, span.endMs);
  writeAttributes(writer, 9, span.attributes);
  if (span.link !== undefined) {
    writer.uint32(lengthDelimited(13)).fork();
    writer
      .uint32(lengthDelimited(1))
      .bytes(span.link.traceId)
      .uint32(lengthDelimited(2))
      .bytes(span.link.spanId)
      .ldelim();
  }
  if (span.isError) writer.uint32(lengthDelimited(15)).fork().uint32(varint(3)).int32(errorCode).ldelim();
  return writer;
}

/** Nanoseconds since 1970, in two halves of 32 bits. */
function writeTime(writer: Writer, field: number, ms: number): void {
  const nanoseconds = BigInt(Math.round(ms * 1000)) * 1000n;
  const high = Number(nanoseconds >> 32n);
  const low = Number(nanoseconds & 0xffffffffn);
  writer.uint32(fixed64(field)).fixed64({ high, low, unsigned: true } as never);
}

function writeAttributes(writer: Writer, field: number, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    writer.uint32(lengthDelimited(field)).fork().uint32(lengthDelimited(1)).string(key);
    writer.uint32(lengthDelimited(2)).fork();
    if (typeof value === 'string') writer.uint32(lengthDelimited(1)).string(value);
    else writer.uint32(varint(3)).int64(Math.round(value));
    writer.ldelim().ldelim();
  }
}
