import { decodeCbor } from '../../src/codec/cbor/index.ts';
import { encoders } from '../../src/codec/encoders/index.ts';
import { decodeJson } from '../../src/codec/json/index.ts';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { decodeMessage, readEnvelope } from '../../src/codec/protobuf/index.ts';
import { decodeYaml } from '../../src/codec/yaml/index.ts';
import type { JsonSource } from '../../src/meta/json-source.ts';
import type { ResourceObject } from '../../src/meta/object.ts';
import type { StructSchema } from '../../src/schema/model.ts';
import { Findings } from '../../src/schema/normalize/index.ts';
import type { Kind } from './kinds.ts';

interface Decoded {
  readonly value: unknown;
  readonly source?: JsonSource | undefined;
}

const decoders: Readonly<Record<EncodingName, (schema: StructSchema, bytes: Buffer) => Decoded>> = {
  json: (_schema, bytes) => decodeJson(bytes),
  yaml: (_schema, bytes) => decodeYaml(bytes),
  protobuf: (schema, bytes) => ({ value: decodeMessage(schema, readEnvelope(bytes).raw) }),
  cbor: (_schema, bytes) => decodeCbor(bytes),
};

export const encodingNames = Object.keys(decoders) as readonly EncodingName[];

/** Encodes an object as the server does in a response. */
export function encodeAs(encoding: EncodingName, { schema }: Kind, object: ResourceObject): Buffer {
  return encoders[encoding].encode(object, schema);
}

export interface ReadObject {
  /** In canonical form. */
  readonly object: ResourceObject;
  readonly findings: Findings;
}

/** Decodes a body as the server does. */
export function decodeAs(encoding: EncodingName, kind: Kind, bytes: Buffer): ReadObject {
  const { value, source } = decoders[encoding](kind.schema, bytes);
  return canonical(kind, value, source);
}

export function canonical(kind: Kind, value: unknown, source?: JsonSource): ReadObject {
  const findings = new Findings(source);
  return { object: kind.compiled.normalize(value, findings), findings };
}
