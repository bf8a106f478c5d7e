import { BoundsError } from '../meta/bounds-error.ts';
import { DecodeError } from '../meta/decode-error.ts';
import type { JsonSource } from '../meta/json-source.ts';
import type { StructSchema } from '../schema/model.ts';
import { CborContentError, type DecodedCbor, decodeCbor, mapElementIndex } from './cbor/index.ts';
import { requestBounds } from './document-bounds.ts';
import { decodeJson } from './json/index.ts';
import type { EncodingName } from './media-types.ts';
import { decodeMessage, readEnvelope } from './protobuf/index.ts';
import { type DecodedYaml, decodeYamlInTurns } from './yaml/index.ts';

/** A body whose type has been read. */
export interface OpenDocument {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly source?: JsonSource | undefined;
  /** Problems that strict decoding reports for any type, in encodings whose errors have no field paths. */
  readonly findings?: { readonly heading: string; readonly lines: readonly string[] };
  /** Formats an unknown field, in encodings whose errors have no field paths. Undefined when it is not reported. */
  readonly unknownField?: (object: object, key: string) => string | undefined;
  /** Returns the JSON representation. Throws `DecodeError` when the rest of the body is invalid. */
  readonly value: () => unknown;
}

/**
 * Starts reading a body. The schema is the expected type; only encodings that are not self-describing need it. Yields to
 * the event loop while it reads YAML, where a few lines may mean many values.
 */
export async function openDocument(body: Buffer, encoding: EncodingName, schema: StructSchema): Promise<OpenDocument> {
  switch (encoding) {
    case 'json':
      return openJson(body);
    case 'yaml':
      return openYaml(await decodeYamlInTurns(body));
    case 'protobuf':
      return openProtobuf(body, schema);
    case 'cbor':
      return openCbor(body);
  }
}

function openJson(body: Buffer): OpenDocument {
  try {
    const { value, source } = decodeJson(body, requestBounds);
    return { ...typeOf(value), source, value: () => value };
  } catch (error) {
    throw unknownVersion(error);
  }
}

function openYaml({ value, source, duplicates }: DecodedYaml): OpenDocument {
  try {
    return {
      ...typeOf(value),
      source,
      ...(duplicates.length > 0 && { findings: { heading: 'yaml: unmarshal errors:', lines: duplicates } }),
      value: () => value,
    };
  } catch (error) {
    throw unknownVersion(error);
  }
}

/** The name in error messages of the part of a document that is decoded first. */
export const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function typeOf(value: unknown): Pick<OpenDocument, 'kind' | 'apiVersion'> {
  if (typeof value === 'object' && !Array.isArray(value)) {
    const { kind, apiVersion } = (value ?? {}) as { kind?: unknown; apiVersion?: unknown };
    return { kind, apiVersion };
  }
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw new DecodeError(`json: cannot unmarshal ${type} into Go value of type ${typeMetaStruct}`);
}

function unknownVersion(error: unknown): unknown {
  if (!(error instanceof DecodeError) || error instanceof BoundsError) return error;
  return new DecodeError(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
}

function openProtobuf(body: Buffer, schema: StructSchema): OpenDocument {
  const { kind, apiVersion, raw } = readEnvelope(body);
  return { kind, apiVersion, value: () => decodeMessage(schema, raw) };
}

function openCbor(body: Buffer): OpenDocument {
  let decoded: DecodedCbor;
  try {
    decoded = decodeCbor(body);
  } catch (error) {
    if (error instanceof CborContentError) {
      const { kind, apiVersion } = error;
      return {
        kind,
        apiVersion,
        value() {
          throw error;
        },
      };
    }
    if (!(error instanceof DecodeError) || error instanceof BoundsError) throw error;
    throw new DecodeError(`unable to determine group/version/kind: ${error.message}`, { cause: error });
  }
  const { value, source, type, integerKeys } = decoded;
  if (typeof value !== 'object' || Array.isArray(value)) {
    const hint = Array.isArray(value) ? ' (cannot decode CBOR array to struct without toarray option)' : '';
    const cause = `cbor: cannot unmarshal ${type} into Go value of type v1.TypeMeta${hint}`;
    throw new DecodeError(`unable to determine group/version/kind: ${cause}`);
  }
  // Only the first one is reported.
  const lines = integerKeys.slice(0, 1).map(unknownElement);
  let isReported = lines.length > 0;
  return {
    ...typeOf(value),
    source,
    ...(isReported && { findings: { heading: '', lines } }),
    unknownField(object, key) {
      if (isReported) return undefined;
      isReported = true;
      return unknownElement(mapElementIndex(decoded, object, key));
    },
    value: () => value,
  };
}

function unknownElement(index: number): string {
  return `cbor: found unknown field at map element index ${index}`;
}
