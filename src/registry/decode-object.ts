import { decodeJson } from '../codec/json/index.ts';
import type { BodyEncoding } from '../codec/media-types.ts';
import { decodeMessage, readEnvelope } from '../codec/protobuf/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { goQuote } from '../meta/go-quote.ts';
import type { JsonSource } from '../meta/json-source.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest, type StatusError } from '../meta/status-error.ts';
import type { StructSchema } from '../schema/model.ts';
import { Findings } from '../schema/normalize/index.ts';
import type { DecodableKind } from './decodable-kind.ts';
import type { FieldValidation } from './resource.ts';

export interface DecodeOptions {
  readonly body: Buffer;
  readonly encoding: BodyEncoding;
  readonly fieldValidation: FieldValidation;
  readonly warn: (text: string) => void;
}

export interface DecodedObject {
  readonly object: ResourceObject;
  /** False when the object is known to keep the rules that its schema states. */
  readonly suspicious: boolean;
}

/** The object of a POST or PUT body, in canonical form with defaults. Unknown and duplicate fields are told or refused. */
export function decodeObject(context: DecodableKind, options: DecodeOptions): DecodedObject {
  const { fieldValidation, warn } = options;
  const document = opened(context, options);
  const type = bodyType(context, document);
  checkType(context, type);
  const findings = new Findings(document.source);
  let object: ResourceObject;
  try {
    object = context.compiled.normalize(document.value(), findings);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw cannotBeHandled(context, type, error.message);
  }
  if (fieldValidation === 'Strict' && findings.texts.length > 0) {
    throw cannotBeHandled(context, type, `strict decoding error: ${findings.texts.join(', ')}`);
  }
  if (fieldValidation === 'Warn') findings.texts.forEach(warn);
  context.definition.rules.setDefaults?.(object);
  return { object, suspicious: findings.suspicious };
}

/** A body of which it is known what it says of itself. */
interface Document {
  readonly kind: unknown;
  readonly apiVersion: unknown;
  readonly source: JsonSource | undefined;
  /** The rest may still turn out to be unreadable. */
  readonly value: () => unknown;
}

function opened({ definition }: DecodableKind, { body, encoding }: DecodeOptions): Document {
  try {
    return encoding === 'protobuf' ? openProtobuf(definition.schema, body) : openJson(body);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const problem = `the object provided is unrecognized (must be of type ${definition.kind})`;
    throw badRequest(`${problem}: ${error.message} (${summary(body)})`, { cause: error });
  }
}

function openProtobuf(schema: StructSchema, body: Buffer): Document {
  const { kind, apiVersion, raw } = readEnvelope(body);
  return { kind, apiVersion, source: undefined, value: () => decodeMessage(schema, raw) };
}

function openJson(body: Buffer): Document {
  try {
    const { value, source } = decodeJson(body);
    if (typeof value === 'object' && !Array.isArray(value)) {
      const { kind, apiVersion } = (value ?? {}) as { kind?: unknown; apiVersion?: unknown };
      return { kind, apiVersion, source, value: () => value };
    }
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw new DecodeError(`json: cannot unmarshal ${type} into Go value of type ${typeMetaStruct}`);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
  }
}

/** How the server names the part of a document that it looks at first. */
const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** What the reader of an error sees of a body that could not be read. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, 30);
  const text = body[0] === 0x7b ? start.toString() : start.toString('hex');
  return body.length > 30 ? `${text} ...` : text;
}

interface BodyType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** What the body says of itself; what it leaves out is what the path takes. */
function bodyType({ definition, apiVersion: expected }: DecodableKind, { kind, apiVersion }: Document): BodyType {
  return {
    kind: typeof kind === 'string' && kind !== '' ? kind : definition.kind,
    apiVersion: typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : expected,
  };
}

function checkType(context: DecodableKind, type: BodyType): void {
  const { kind, group } = context.definition;
  if (type.kind === kind && type.apiVersion === context.apiVersion) return;
  if (type.kind === kind && group !== '' && type.apiVersion.startsWith(`${group}/`)) {
    const versions = `(${type.apiVersion}) does not match the expected API version (${context.apiVersion})`;
    throw badRequest(`the API version in the data ${versions}`);
  }
  const unknown = `no kind ${goQuote(type.kind)} is registered for version ${goQuote(type.apiVersion)}`;
  throw cannotBeHandled(context, type, `${unknown} at this path, which takes ${kind} of ${context.apiVersion}`);
}

function cannotBeHandled({ definition }: DecodableKind, { kind, apiVersion }: BodyType, reason: string): StatusError {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${definition.kind}: ${reason}`);
}
