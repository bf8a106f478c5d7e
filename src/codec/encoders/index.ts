import type { EncodingName } from '../media-types.ts';
import { cborEncoder } from './cbor-encoder.ts';
import type { Encoder } from './encoder.ts';
import { jsonEncoder } from './json-encoder.ts';
import { protobufEncoder } from './protobuf-encoder.ts';
import { yamlEncoder } from './yaml-encoder.ts';

export { type Encoder, emptyBytes, type ListFrame, type OpenList } from './encoder.ts';

export const encoders: Readonly<Record<EncodingName, Encoder>> = {
  json: jsonEncoder,
  yaml: yamlEncoder,
  protobuf: protobufEncoder,
  cbor: cborEncoder,
};
