import { decodeCbor } from '../codec/cbor/index.ts';
import { decodeJson } from '../codec/json/index.ts';
import { type EncodingName, mediaTypes } from '../codec/media-types.ts';
import { requestMediaType } from '../codec/negotiation.ts';
import { decodeMessage, readEnvelope } from '../codec/protobuf/index.ts';
import { decodeYaml } from '../codec/yaml/index.ts';
import { type GroupKind, type GroupVersion, parseApiVersion } from '../meta/group-version.ts';
import { field, listOf, struct } from '../schema/builders.ts';
import {
  DeleteOptions,
  List,
  ListMeta,
  PartialObjectMetadata,
  PartialObjectMetadataList,
  Status,
} from '../schema/meta-types.ts';
import type { StructSchema } from '../schema/model.ts';
import { Table } from '../schema/table-types.ts';

/** Undefined for a kind without a schema. */
export type SchemaOf = (type: GroupKind & GroupVersion) => StructSchema | undefined;

/** The content of a body, or the fact that it cannot be decoded. */
export type ReadBody = { readonly value: unknown } | { readonly isUnreadable: true };

const encodings: ReadonlyMap<string, EncodingName> = new Map([
  ...mediaTypes.flatMap(({ encoding, names }) => names.map((name) => [name, encoding] as const)),
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'json'],
  ['application/strategic-merge-patch+json', 'json'],
  ['application/apply-patch+yaml', 'yaml'],
  ['application/apply-patch+cbor', 'cbor'],
]);

/** Types that exist in every group. They are identified by kind, in any version. */
const sharedKinds: Readonly<Record<string, StructSchema>> = {
  Status,
  DeleteOptions,
  List,
  Table,
  PartialObjectMetadata,
  PartialObjectMetadataList,
};

/**
 * Decodes a body of any encoding to a JSON value. Undefined for a media type that carries no object, and for an empty
 * body.
 */
export function readAuditedBody(body: Buffer, mediaType: string | undefined, schemaOf: SchemaOf): ReadBody | undefined {
  const encoding = encodings.get(requestMediaType(mediaType));
  if (encoding === undefined || body.length === 0) return undefined;
  try {
    return { value: decode(body, encoding, schemaOf) };
  } catch {
    // The handler of the request reports the error to the client.
    return { isUnreadable: true };
  }
}

function decode(body: Buffer, encoding: EncodingName, schemaOf: SchemaOf): unknown {
  switch (encoding) {
    case 'json':
      return decodeJson(body).value;
    case 'yaml':
      return decodeYaml(body).value;
    case 'cbor':
      return decodeCbor(body).value;
    case 'protobuf': {
      const { kind, apiVersion, raw } = readEnvelope(body);
      const schema = schemaFor({ kind, ...parseApiVersion(apiVersion) }, schemaOf);
      return { kind, apiVersion, ...decodeMessage(schema, raw) };
    }
  }
}

function schemaFor(type: GroupKind & GroupVersion, schemaOf: SchemaOf): StructSchema {
  const { kind } = type;
  const known = Object.hasOwn(sharedKinds, kind) ? sharedKinds[kind] : schemaOf(type);
  if (known !== undefined) return known;
  const item = kind.endsWith('List') ? schemaOf({ ...type, kind: kind.slice(0, -'List'.length) }) : undefined;
  if (item === undefined) throw new RangeError(`unknown kind ${kind}`);
  return listSchema(item);
}

const listSchemas = new WeakMap<StructSchema, StructSchema>();

/** Lists are encoded item by item, so there is no schema for them. Decoding needs one. */
function listSchema(item: StructSchema): StructSchema {
  const known = listSchemas.get(item);
  if (known !== undefined) return known;
  const made = struct(`${item.name}List`, () => ({
    metadata: field(1, ListMeta),
    items: field(2, listOf(item), { always: true }),
  }));
  listSchemas.set(item, made);
  return made;
}
