import { encodeJson, plainObjectReader } from '../codec/json/index.ts';
import type { EncodingName } from '../codec/media-types.ts';
import { type OpenDocument, openDocument } from '../codec/open-document.ts';
import { BoundsError } from '../meta/bounds-error.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { goQuote } from '../meta/go-quote.ts';
import { parseApiVersion } from '../meta/group-version.ts';
import type { ResourceObject } from '../meta/object.ts';
import { badRequest, type StatusError, tooLargeBody } from '../meta/status-error.ts';
import { largeDocument } from '../meta/turns.ts';
import type { StructSchema } from '../schema/model.ts';
import { type CompiledKind, compileKind, Findings } from '../schema/normalize/index.ts';
import { jsonTypeOf } from '../schema/normalize/type-mismatch.ts';
import { sortedValue } from '../schema/structural/sorted-value.ts';
import type { DecodableKind } from './decodable-kind.ts';
import { findingWarnings } from './finding-warnings.ts';
import { isCustom, isOtherVersion, kindMismatch, type StatedKind, wrongCustomKind } from './kind-mismatch.ts';
import type { FieldValidation } from './resource.ts';

export interface DecodeOptions {
  readonly body: Buffer;
  readonly encoding: EncodingName;
  readonly fieldValidation: FieldValidation;
  readonly warn: (text: string) => void;
}

export interface DecodedObject {
  readonly object: ResourceObject;
  /** `metadata.managedFields` as sent: the canonical form does not distinguish an empty list from none. */
  readonly sentEntries?: unknown;
  /** False when the object is known to satisfy the rules of its schema. */
  readonly needsSchemaCheck: boolean;
}

/**
 * Decodes a POST or PUT body to canonical form with defaults. Unknown and duplicate fields cause warnings or an error.
 */
export async function decodeObject(context: DecodableKind, options: DecodeOptions): Promise<DecodedObject> {
  const plain = plainObject(context, options);
  if (plain !== undefined) {
    context.definition.rules.setDefaults?.(plain.object, context.clock);
    return plain;
  }
  return decoded(context, { ...options, document: await opened(context, options) });
}

const plainReaders = new WeakMap<CompiledKind, ReturnType<typeof plainObjectReader>>();

/** Decodes a small document in common form, without errors or findings. */
function plainObject(context: DecodableKind, { body, encoding }: DecodeOptions): DecodedObject | undefined {
  if (encoding !== 'json' || body.length >= largeDocument) return undefined;
  const { compiled, definition, apiVersion } = context;
  let read = plainReaders.get(compiled);
  if (read === undefined) {
    const { schema, kind } = definition;
    read = plainObjectReader({ schema, kind, apiVersion });
    plainReaders.set(compiled, read);
  }
  return read(body);
}

function decoded(
  context: DecodableKind,
  { document, fieldValidation, warn, ...source }: DecodeOptions & { readonly document: OpenDocument },
): DecodedObject {
  if (isCustom(context)) checkCustomType(context, document, source);
  const type = bodyType(context, document);
  checkType(context, type, source.encoding === 'protobuf' ? undefined : document);
  const findings = new Findings(document.source, document.unknownField);
  let object: ResourceObject;
  let sentEntries: unknown;
  try {
    const value = document.value();
    sentEntries = entriesOf(value);
    object = context.compiled.normalize(value, findings);
  } catch (error) {
    if (error instanceof BoundsError) throw tooLargeBody(error.message);
    if (!(error instanceof DecodeError)) throw error;
    throw cannotBeHandled(context, type, error.message);
  }
  if (fieldValidation === 'Strict') {
    const refused = [...findingsMessage(document), ...findings.texts];
    if (refused.length > 0) throw cannotBeHandled(context, type, `strict decoding error: ${refused.join(', ')}`);
  } else if (fieldValidation === 'Warn') {
    document.findings?.lines.forEach(warn);
    findingWarnings(findings.texts, findings.omitted).forEach(warn);
  }
  context.definition.rules.setDefaults?.(object, context.clock);
  return { object, sentEntries, needsSchemaCheck: findings.needsSchemaCheck };
}

/** The maximum length of the body in an error message. */
const maxShown = 4096;

/** The managed fields entries of a document. */
export function entriesOf(document: unknown): unknown {
  return (document as { metadata?: { managedFields?: unknown } | null } | null)?.metadata?.managedFields;
}

/** Joins the findings of the decoder to one message. */
function findingsMessage({ findings }: OpenDocument): string[] {
  if (findings === undefined) return [];
  const { heading, lines } = findings;
  return heading === '' ? [...lines] : [[heading, ...lines].join('\n  ')];
}

async function opened(context: DecodableKind, { body, encoding }: DecodeOptions): Promise<OpenDocument> {
  try {
    return checkStatedKind(context, await openDocument(body, encoding, context.definition.schema));
  } catch (error) {
    throw unrecognized(context, body, error);
  }
}

function unrecognized({ definition }: DecodableKind, body: Buffer, error: unknown): unknown {
  if (error instanceof BoundsError) return tooLargeBody(error.message);
  if (!(error instanceof DecodeError)) return error;
  const problem = `${error.message} (${summary(body)})`;
  return badRequest(`the object provided is unrecognized (must be of type ${definition.kind}): ${problem}`, {
    cause: error,
  });
}

function checkStatedKind(context: DecodableKind, document: OpenDocument): OpenDocument {
  const { apiVersion, kind } = document;
  if (!isCustom(context)) {
    checkText('apiVersion', apiVersion);
    checkText('kind', kind);
  }
  if (typeof apiVersion !== 'string' || apiVersion.indexOf('/') === apiVersion.lastIndexOf('/')) return document;
  throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
}

function checkText(name: 'apiVersion' | 'kind', value: unknown): void {
  if (value === undefined || value === null || typeof value === 'string') return;
  const problem = `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${name} of type string`;
  throw new DecodeError(`couldn't get version/kind; json parse error: ${problem}`);
}

/** The excerpt of an undecodable body in an error message. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, 30);
  const text = body[0] === 0x7b ? start.toString() : start.toString('hex');
  return body.length > 30 ? `${text} ...` : text;
}

/** The kind that the body states. Missing values default to those of the path. */
function bodyType({ definition, apiVersion: expected }: DecodableKind, { kind, apiVersion }: OpenDocument): StatedKind {
  return {
    kind: typeof kind === 'string' && kind !== '' ? kind : definition.kind,
    apiVersion: typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : expected,
  };
}

/** Custom objects must state their kind and version. */
function checkCustomType(
  context: DecodableKind,
  document: OpenDocument,
  { body, encoding }: Pick<DecodeOptions, 'body' | 'encoding'>,
): void {
  const { kind, apiVersion = '' } = document;
  if (typeof kind !== 'string' || kind === '') {
    const text = encoding === 'json' ? body.toString() : encodeJson(sortedValue(document.value()));
    throw unrecognized(context, body, new DecodeError(`Object 'Kind' is missing in '${text.slice(0, maxShown)}'`));
  }
  const { definition, apiVersion: expected } = context;
  if (apiVersion !== expected) throw wrongApiVersion(context, String(apiVersion));
  if (kind === definition.kind) return;
  const { name } = (document.value() as { metadata?: { name?: unknown } | null }).metadata ?? {};
  throw wrongCustomKind(context, { kind, apiVersion: expected }, typeof name === 'string' ? name : '');
}

function wrongApiVersion({ apiVersion: expected }: DecodableKind, apiVersion: string): StatusError {
  return badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
  );
}

/** kube-apiserver decodes an object as the kind that it states before it compares the kinds. */
function checkType(context: DecodableKind, type: StatedKind, document: OpenDocument | undefined): void {
  if (type.kind === context.definition.kind) {
    if (type.apiVersion === context.apiVersion || context.alsoRead?.includes(type.apiVersion)) return;
  }
  const schema = context.knownKind(type)?.schema;
  if (schema !== undefined && document !== undefined) checkContent(context, type, { document, schema });
  if (isOtherVersion(context, type)) throw wrongApiVersion(context, type.apiVersion);
  throw cannotBeHandled(context, type, kindMismatch(context, type));
}

function checkContent(
  context: DecodableKind,
  type: StatedKind,
  { document, schema }: { readonly document: OpenDocument; readonly schema: StructSchema },
): void {
  try {
    compileKind({ schema, ...type }).normalize(document.value(), new Findings(document.source));
  } catch (error) {
    if (!(error instanceof DecodeError) || error instanceof BoundsError) throw error;
    throw cannotBeHandled(context, type, error.message);
  }
}

/** The 400 for a document that is not an object of the kind. */
export function cannotBeHandled(
  { definition }: DecodableKind,
  { kind, apiVersion }: StatedKind,
  reason: string,
): StatusError {
  const version = goQuote(parseApiVersion(apiVersion).version);
  return badRequest(`${kind} in version ${version} cannot be handled as a ${definition.kind}: ${reason}`);
}
