import { decodeCbor } from '../codec/cbor/index.ts';
import { decodeJson, encodeJson } from '../codec/json/index.ts';
import { decodeMessage, encodeEnveloped, readEnvelope } from '../codec/protobuf/index.ts';
import { decodeYaml, encodeYaml } from '../codec/yaml/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import type { ResourceObject } from '../meta/object.ts';
import { RangeAllocation } from '../resources/core/pod-option-types.ts';
import type { StructSchema } from '../schema/model.ts';
import { compileKind, Findings } from '../schema/normalize/index.ts';
import { customSchema, sortedValue } from '../schema/structural/index.ts';
import type { TransformedValue, ValueTransformer } from '../storage/index.ts';
import { parseDocument } from '../store/index.ts';
import { isAllocationKey, isObjectKey } from './keys.ts';
import { type StoredType, storedTypeOf } from './stored-type.ts';

/** The values of kube-apiserver's flag of the same name. */
export const storageMediaTypes = [
  'application/vnd.kubernetes.protobuf',
  'application/json',
  'application/yaml',
] as const;

export type StorageMediaType = (typeof storageMediaTypes)[number];

/**
 * Values as kube-apiserver stores them. Built-in kinds are written in the given encoding; custom resources, their
 * definitions and APIServices are written in JSON. All encodings of kube-apiserver and all supported versions of
 * built-in kinds can be read. A value that would now be written differently is `stale`.
 */
export function kubernetesLayout(mediaType: StorageMediaType = storageMediaTypes[0]): ValueTransformer {
  return {
    toStored(value, key, known) {
      const object = known === undefined ? parseDocument(value) : withoutVersion(known as ResourceObject);
      if (isAllocationKey(key)) return encodedBuiltIn(object, { ...allocationType, mediaType });
      const type = storedTypeOf(key);
      if (type === undefined) return document(sortedValue(object));
      const stored = type.toStored(object);
      const { kind, apiVersion, alwaysJson } = type;
      const schema = type.schemaOf(apiVersion)!;
      return encodedBuiltIn(stored, {
        kind,
        apiVersion,
        schema,
        mediaType: alwaysJson ? 'application/json' : mediaType,
      });
    },
    fromStored(stored, key) {
      try {
        return readStored(stored, key, mediaType);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        return { value: stored, corrupt: error.message };
      }
    },
  };
}

function withoutVersion(object: ResourceObject): ResourceObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}

/** The values of allocation keys, which are not served. */
const allocationType = { kind: 'RangeAllocation', apiVersion: 'v1', schema: RangeAllocation };

interface BuiltInEncoding {
  readonly kind: string;
  readonly apiVersion: string;
  readonly schema: StructSchema;
  readonly mediaType: StorageMediaType;
}

function encodedBuiltIn(object: object, { kind, apiVersion, schema, mediaType }: BuiltInEncoding): Buffer {
  if (mediaType === 'application/json') return document(object);
  if (mediaType === 'application/yaml') return Buffer.from(encodeYaml(object));
  return encodeEnveloped({ kind, apiVersion }, { schema, object: object as Record<string, unknown> });
}

type Encoding = StorageMediaType | 'application/cbor';

const envelopeStart = Buffer.from('k8s\0');
const encryptedStart = Buffer.from('k8s:enc:');
/** The tag that marks CBOR. */
const cborStart = Buffer.of(0xd9, 0xd9, 0xf7);
const openBrace = 0x7b;

function encodingOf(stored: Buffer): Encoding {
  if (startsWith(stored, envelopeStart)) return 'application/vnd.kubernetes.protobuf';
  if (stored[0] === openBrace) return 'application/json';
  if (startsWith(stored, cborStart)) return 'application/cbor';
  if (startsWith(stored, encryptedStart)) throw new DecodeError('the value is encrypted');
  return 'application/yaml';
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

function readStored(stored: Buffer, key: string, mediaType: StorageMediaType): TransformedValue {
  if (isAllocationKey(key)) return { value: Buffer.from(encodeJson(readAllocation(stored))) };
  if (!isObjectKey(key)) throw new DecodeError('the key is not that of an object');
  const encoding = encodingOf(stored);
  const type = storedTypeOf(key);
  if (type === undefined) return readCustom(selfDescribed(stored, encoding), encoding);
  const { object, apiVersion } = readBuiltIn(type, stored, encoding);
  const written = type.alwaysJson ? 'application/json' : mediaType;
  const stale = encoding !== written || apiVersion !== type.apiVersion;
  const registered = type.fromStored(object, apiVersion);
  return { value: registryValue(registered), ...(stale && { stale }) };
}

function readBuiltIn(
  type: StoredType,
  stored: Buffer,
  encoding: Encoding,
): { readonly object: ResourceObject; readonly apiVersion: string } {
  if (encoding !== 'application/vnd.kubernetes.protobuf') {
    const object = selfDescribed(stored, encoding);
    return { object, apiVersion: checkedVersion(type, object) };
  }
  const envelope = readEnvelope(stored);
  const apiVersion = checkedVersion(type, envelope);
  const schema = type.schemaOf(apiVersion);
  if (schema === undefined) throw new DecodeError(`${apiVersion} ${type.kind} cannot be read as protobuf`);
  return { object: decodeMessage(schema, envelope.raw) as ResourceObject, apiVersion };
}

function readAllocation(stored: Buffer): object {
  const encoding = encodingOf(stored);
  if (encoding !== 'application/vnd.kubernetes.protobuf') return selfDescribed(stored, encoding);
  const { kind, apiVersion, schema } = allocationType;
  return { kind, apiVersion, ...decodeMessage(schema, readEnvelope(stored).raw) };
}

function checkedVersion(type: StoredType, { kind, apiVersion = '' }: { kind?: unknown; apiVersion?: string }): string {
  if (kind !== type.kind) throw new DecodeError(`the value is a ${String(kind)}, not a ${type.kind}`);
  if (!type.reads(apiVersion)) throw new DecodeError(`${type.kind} is stored in the unknown version ${apiVersion}`);
  return apiVersion;
}

function selfDescribed(stored: Buffer, encoding: Encoding): ResourceObject {
  const value = decoded(stored, encoding);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ResourceObject;
  throw new DecodeError('the value is not an object');
}

function decoded(stored: Buffer, encoding: Encoding): unknown {
  switch (encoding) {
    case 'application/json':
      return decodeJson(stored).value;
    case 'application/cbor':
      return decodeCbor(stored).value;
    case 'application/yaml':
      return decodeYaml(stored).value;
    case 'application/vnd.kubernetes.protobuf':
      throw new DecodeError(`the type ${readEnvelope(stored).kind} is not known`);
  }
}

/** Keeps everything in canonical order. The registry applies the schema of the definition, which may change. */
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const anyObject = customSchema(anything, { group: '', version: '', kind: '' });

function readCustom(object: ResourceObject, encoding: Encoding): TransformedValue {
  const { kind, apiVersion } = object;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') throw new DecodeError('the value states no kind');
  const canonical = compileKind({ schema: anyObject, kind, apiVersion }).normalize(object, new Findings());
  return { value: registryValue(canonical), ...(encoding !== 'application/json' && { stale: true }) };
}

/** The revision is not part of a value. */
function registryValue(object: ResourceObject): Buffer {
  object.metadata.resourceVersion = undefined;
  return Buffer.from(encodeJson(object));
}

function document(value: unknown): Buffer {
  return Buffer.from(`${encodeJson(value)}\n`);
}
