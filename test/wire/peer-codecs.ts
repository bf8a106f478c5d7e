import { decode, encode, type TagDecoder } from 'cborg';
import { dump, load } from 'js-yaml';
import protobuf from 'protobufjs';
import { decodeJson, encodeJson } from '../../src/codec/json/index.ts';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { apiVersionOf } from '../../src/meta/group-version.ts';
import { builtInKinds, builtInResources, optionalResources } from '../../src/resources/index.ts';
import { field, listOf, struct } from '../../src/schema/builders.ts';
import * as metaTypes from '../../src/schema/meta-types.ts';
import type { StructSchema } from '../../src/schema/model.ts';
import { compileKind, Findings } from '../../src/schema/normalize/index.ts';
import { Table } from '../../src/schema/table-types.ts';
import { envelope } from '../codec/envelope.ts';
import { decodeReflected, encodeReflected } from '../codec/reflected-message.ts';

// The encodings as clients implement them. Apart from JSON, none of this uses code of the server.

export const mediaTypeOf: Readonly<Record<EncodingName, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
};
export const encodingNames = Object.keys(mediaTypeOf) as readonly EncodingName[];
export const protobufNames = ['application/vnd.kubernetes.protobuf', 'application/vnd.svc.protobuf'] as const;

/** An object with its kind and apiVersion. */
export interface Typed {
  readonly kind: string;
  readonly apiVersion: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
  readonly [field: string]: any;
}

/** Encodes the body of a request without the encoders of the server. */
export function encodeBody(encoding: EncodingName, object: Typed): Buffer {
  switch (encoding) {
    case 'json':
      return Buffer.from(encodeJson(object));
    case 'yaml':
      return Buffer.from(dump(object));
    case 'protobuf':
      return envelope(encodeReflected(schemaOf(object), object, { packed: false, zeros: true }), object);
    case 'cbor':
      return Buffer.from(encode(object, { ignoreUndefinedProperties: true }));
  }
}

/** Decodes a body into its JSON form without the decoders of the server. */
export function decodeBody(encoding: EncodingName, bytes: Buffer): Typed {
  switch (encoding) {
    case 'json':
      return decodeJson(bytes).value as Typed;
    case 'yaml':
      return load(bytes.toString()) as Typed;
    case 'protobuf':
      return decodeEnvelope(bytes);
    case 'cbor':
      return jsonOf(decode(bytes, cborOptions)) as Typed;
  }
}

export function decodeEnvelope(bytes: Buffer): Typed {
  if (bytes.subarray(0, 4).toString('latin1') !== 'k8s\0') throw new TypeError('no envelope');
  const [typeMeta, raw] = lengthDelimited(bytes.subarray(4));
  const [apiVersion = '', kind = ''] = lengthDelimited(typeMeta!).map(String);
  return { kind, apiVersion, ...(decodeReflected(schemaOf({ kind, apiVersion }), raw!) as object) };
}

/** Returns the fields of a message that contains only texts, bytes and messages, by number from 1. */
export function lengthDelimited(bytes: Buffer): Buffer[] {
  const reader = protobuf.Reader.create(bytes);
  const fields: Buffer[] = [];
  while (reader.pos < reader.len) fields[(reader.uint32() >>> 3) - 1] = Buffer.from(reader.bytes());
  return fields;
}

/** Returns the value in canonical form, as the server decodes it. */
export function canonical(value: Typed): Typed {
  const { kind, apiVersion } = value;
  const compiled = compileKind({ kind, apiVersion, schema: schemaOf(value) });
  return compiled.normalize(structuredClone(value), new Findings(undefined)) as unknown as Typed;
}

const schemas = new Map<string, StructSchema>([
  ...[...builtInResources, ...optionalResources, ...builtInKinds].flatMap((definition): [string, StructSchema][] => {
    const name = `${apiVersionOf(definition)} ${definition.kind}`;
    return [
      [name, definition.schema],
      [`${name}List`, listOfSchema(`${definition.schema.name}List`, definition.schema)],
    ];
  }),
  ['v1 Status', metaTypes.Status],
  ['v1 DeleteOptions', metaTypes.DeleteOptions],
  ['v1 APIVersions', metaTypes.APIVersions],
  ['v1 APIGroupList', metaTypes.APIGroupList],
  ['v1 APIGroup', metaTypes.APIGroup],
  ['v1 APIResourceList', metaTypes.APIResourceList],
  ['apidiscovery.k8s.io/v2 APIGroupDiscoveryList', metaTypes.APIGroupDiscoveryList],
  ...['meta.k8s.io/v1', 'meta.svc.io/v1', 'meta.k8s.io/v1beta1', 'meta.svc.io/v1beta1'].flatMap(
    (apiVersion): [string, StructSchema][] => [
      [`${apiVersion} Table`, Table],
      [`${apiVersion} PartialObjectMetadata`, metaTypes.PartialObjectMetadata],
      [`${apiVersion} PartialObjectMetadataList`, metaTypes.PartialObjectMetadataList],
    ],
  ),
]);

function listOfSchema(name: string, items: StructSchema): StructSchema {
  return struct(name, () => ({
    metadata: field(1, metaTypes.ListMeta),
    items: field(2, listOf(items), { always: true }),
  }));
}

function schemaOf({ kind, apiVersion }: Typed): StructSchema {
  // Some discovery documents have no version.
  const schema = schemas.get(`${apiVersion || 'v1'} ${kind}`);
  if (schema === undefined) throw new TypeError(`there is no ${kind} in ${apiVersion}`);
  return schema;
}

const tags: Readonly<Record<number, TagDecoder>> = {
  22: (content) => Buffer.from(content() as Uint8Array).toString('base64'),
  55799: (content) => content(),
};
/** Keys are byte strings, which only maps can have. */
export const cborOptions = { useMaps: true, tags };

export function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(Array.from(value, ([key, element]) => [jsonOf(key), jsonOf(element)]));
}
