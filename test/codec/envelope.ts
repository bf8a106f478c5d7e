import protobuf from 'protobufjs';

/** Returns the body of a request with a protobuf message. */
export function envelope(raw: Buffer, { kind = '', apiVersion = '' } = {}): Buffer {
  const typeMeta = protobuf.Writer.create().uint32(0x0a).string(apiVersion).uint32(0x12).string(kind).finish();
  const unknown = protobuf.Writer.create()
    .uint32(0x0a)
    .bytes(typeMeta)
    .uint32(0x12)
    .bytes(raw)
    .uint32(0x1a)
    .string('')
    .uint32(0x22)
    .string('')
    .finish();
  return Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), unknown]);
}
