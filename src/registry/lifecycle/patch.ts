import { encodeJson } from '../../codec/json/index.ts';
import {
  applyJsonMergePatch,
  applyJsonPatch,
  applyStrategicMergePatch,
  checkRepeatedMembers,
  patchInErrors,
  restoreIntegers,
  restoreProblem,
} from '../../merge/index.ts';
import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { invalidValue } from '../../meta/field-error.ts';
import { goPrint } from '../../meta/go-value.ts';
import { isJsonObject } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest, DecidedError, invalid, notFound, StatusError, tooLargeBody } from '../../meta/status-error.ts';
import { Findings, hasUnknownField } from '../../schema/normalize/index.ts';
import { sortedValue } from '../../schema/structural/sorted-value.ts';
import type { DecodableKind } from '../decodable-kind.ts';
import { cannotBeHandled, entriesOf } from '../decode-object.ts';
import { findingWarnings } from '../finding-warnings.ts';
import { isCustom, wrongCustomKind } from '../kind-mismatch.ts';
import { checkNameMatch, checkNamespaceMatch } from '../match-request.ts';
import type { PatchRequest, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { type PatchDocument, parsePatch } from './patch-document.ts';
import { kindProblem, otherKind } from './patched-kind.ts';
import { subresourceOf, type WriteEndpoint } from './prepare-update.ts';
import { replace } from './replace.ts';

/** PATCH: applies the patch to the latest state, and again when another writer has changed the object. */
export async function patch(
  context: ResourceContext,
  request: PatchRequest,
  endpoint: WriteEndpoint,
): Promise<WriteResult> {
  const { namespace, name, user, dryRun, warn, admissionContext } = request;
  const keepsUnwritten = endpoint === 'status' && !isAdmitted(context, endpoint);
  const apply = patchOf(context, request, { keepsUnwritten });
  const patching = { request, endpoint, apply };
  const sentFor = (live: ResourceObject) => ownedResult(context, patching, live);
  const target = { namespace, name, user, dryRun, endpoint, warn, admissionContext };
  const bytes = await replace(context, { ...target, sentFor, uidIsField: true });
  if (bytes === undefined) throw notFound(context.groupResource, name);
  return { bytes, created: false };
}

interface Patching {
  readonly request: PatchRequest;
  readonly endpoint: WriteEndpoint;
  readonly apply: ApplyPatch;
}

function ownedResult(
  context: ResourceContext,
  { request, endpoint, apply }: Patching,
  live: ResourceObject,
): ResourceObject {
  const { object: next, sentEntries } = apply(live);
  checkNameMatch(next, request.name);
  checkNamespaceMatch(context, next, request.namespace);
  const writer = { manager: request.fieldManager, subresource: subresourceOf(endpoint) };
  return context.ownership.tracked({ live, next, sentEntries }, writer);
}

/** Applies the patch of a request. The result is in canonical form with defaults. */
export type ApplyPatch = (oldObject: ResourceObject) => PatchedObject;

interface PatchOptions {
  /**
   * Whether the unchanged members after a patch of the status are those of the old object itself. They are already in
   * canonical form, and copying and comparing a large spec would take longer than everything else.
   */
  readonly keepsUnwritten?: boolean;
}

export function patchOf(kind: DecodableKind, request: PatchRequest, options: PatchOptions = {}): ApplyPatch {
  const document = parsePatch(request);
  const { keepsUnwritten = false } = options;
  return (oldObject) => patched(kind, { oldObject, document, request, keepsUnwritten });
}

/** Plugins may change the object in place. */
function isAdmitted(context: ResourceContext, subresource: string): boolean {
  return context.admission?.concerns('UPDATE', context.admissionTargets.of(subresource)) ?? false;
}

interface PatchedObject {
  readonly object: ResourceObject;
  /** `metadata.managedFields` as the patch sets it. */
  readonly sentEntries: unknown;
}

interface PatchInput {
  readonly oldObject: ResourceObject;
  readonly document: PatchDocument;
  readonly request: PatchRequest;
  readonly keepsUnwritten: boolean;
}

/**
 * Turns a stack overflow into an error: the recursion is as deep as the patch, and stopping it leaves no partial state.
 */
function patched(context: DecodableKind, input: PatchInput): PatchedObject {
  try {
    return patchedObject(context, input);
  } catch (error) {
    const tooDeep = error instanceof DecodeError || (error instanceof RangeError && /call stack/.test(error.message));
    throw tooDeep ? badRequest('exceeded max depth', { cause: error }) : error;
  }
}

function patchedObject(context: DecodableKind, input: PatchInput): PatchedObject {
  const { document, request } = input;
  checkRepeated(context, input);
  const result = applied(context, input);
  const findings = new Findings();
  const { rest, kept } = input.keepsUnwritten ? withoutKept(result, input.oldObject) : { rest: result, kept: {} };
  const decodable = { oldObject: input.oldObject, result, rest, findings, document, request };
  const object = { ...decoded(context, decodable), ...kept };
  context.definition.rules.setDefaults?.(object, context.clock);
  reportFindings(context, decodable);
  return { object, sentEntries: entriesOf(result) };
}

/**
 * Rejects unknown or repeated fields of a patched object, warns about them, or ignores them, as the client requested.
 */
function reportFindings(context: DecodableKind, patched: DecodablePatch): void {
  const { findings, document, request } = patched;
  const texts = [...document.findings, ...findings.texts];
  if (texts.length > 0 && request.fieldValidation === 'Strict') {
    throw unusable(context, patched, `strict decoding error: ${texts.join(', ')}`);
  }
  if (request.fieldValidation === 'Warn') {
    findingWarnings(texts, document.omitted + findings.omitted).forEach(request.warn);
  }
}

const written: ReadonlySet<string> = new Set(['metadata', 'status']);

/** Splits off the members that are the same value as in the old object. */
function withoutKept(result: unknown, oldObject: ResourceObject): { rest: unknown; kept: Partial<ResourceObject> } {
  if (!isJsonObject(result)) return { rest: result, kept: {} };
  const isKept = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'object' && value === oldObject[name] && !written.has(name);
  const kept = Object.entries(result).filter(isKept);
  if (kept.length === 0) return { rest: result, kept: {} };
  return {
    rest: Object.fromEntries(Object.entries(result).filter((entry) => !isKept(entry))),
    kept: Object.fromEntries(kept),
  };
}

/** Repeated keys are allowed, but all of their values must have the right type. */
function checkRepeated(context: DecodableKind, { document: { patch, repeated }, request }: PatchInput): void {
  if (repeated === undefined) return;
  try {
    if (request.patchType === 'json') checkRepeatedMembers(patch, repeated);
    else context.compiled.normalize(patch, new Findings(repeated), { defaults: false });
  } catch (error) {
    throw error instanceof DecodeError ? notOfKind(context, error.message) : error;
  }
}

/** If a request has unknown or repeated fields and another error, only the other error is reported. */
function notOfKind(context: DecodableKind, problem: string): StatusError {
  const { kind } = context.definition;
  return cannotBeHandled(context, { kind, apiVersion: context.apiVersion }, problem);
}

function applied(context: DecodableKind, input: PatchInput): unknown {
  try {
    return resultOf(context, input);
  } catch (error) {
    const isRefused = error instanceof StatusError && error.status.code === 422;
    if (!isRefused || input.document.findings.length === 0) throw error;
    throw ofFatalMistake(badRequest(error.message, { cause: error }), error);
  }
}

function resultOf(context: DecodableKind, { oldObject, document, request }: PatchInput): unknown {
  const { patch } = document;
  if (request.patchType === 'json') return applyJsonPatch(oldObject, patch, request);
  if (request.patchType === 'merge') return applyJsonMergePatch(oldObject, patch, request);
  return applyStrategicMergePatch(oldObject, patch, context.definition.schema);
}

interface PatchResult {
  readonly oldObject: ResourceObject;
  readonly result: unknown;
  readonly document: PatchDocument;
  readonly request: PatchRequest;
}

interface DecodablePatch extends PatchResult {
  /** The part of the result that must be decoded. */
  readonly rest: unknown;
  readonly findings: Findings;
}

function decoded(context: DecodableKind, patched: DecodablePatch): ResourceObject {
  const { result, rest, findings, request } = patched;
  const isStrategic = request.patchType === 'strategic';
  const stated = isCustom(context) ? otherKind(context, result) : undefined;
  if (stated !== undefined) {
    findUndeclared(context.inVersion?.(stated.apiVersion), result, findings);
    reportFindings(context, patched);
    throw wrongCustomKind(context, stated, request.name);
  }
  // The kind in a strategic merge patch has no effect.
  const problem = isStrategic ? undefined : kindProblem(context, result);
  if (problem !== undefined) throw undecodable(context, patched, { fatal: problem, shown: problem });
  // A strategic merge patch decodes the whole object to Go's maps, whose keys are encoded in order.
  const options = { sortsKeys: isStrategic };
  try {
    return context.compiled.normalize(rest, findings, options);
  } catch (error) {
    if (error instanceof BoundsError) throw tooLargeBody(error.message);
    if (!(error instanceof DecodeError)) throw error;
    const shown = isStrategic ? restoreProblem(context.definition.schema, rest) : error.message;
    if (shown !== undefined) throw undecodable(context, patched, { fatal: error.message, shown });
    return restored(context, patched);
  }
}

/** Integers may be too large for their fields. Other errors come from types with custom decoders. */
function restored(context: DecodableKind, patched: DecodablePatch): ResourceObject {
  const { rest, findings } = patched;
  const { compiled, definition } = context;
  try {
    return compiled.normalize(restoreIntegers(definition.schema, rest), findings, { sortsKeys: true });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw undecodable(context, patched, { fatal: error.message, shown: error.message });
  }
}

/**
 * Finds the fields that the stated version of a custom object does not declare. A version that does not exist declares
 * only the fields of all objects.
 */
function findUndeclared(version: DecodableKind | undefined, document: unknown, findings: Findings): void {
  if (!isJsonObject(document)) return;
  if (version === undefined) {
    const names = Object.keys(document).filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name));
    for (const name of names.sort()) findings.unknown(name, document, name);
    return;
  }
  try {
    version.compiled.normalize(document, findings);
  } catch (error) {
    // The wrong version is the error that is reported.
    if (!(error instanceof DecodeError)) throw error;
  }
}

/** Words the error like kube-apiserver, unless the specification differs. */
function undecodable(
  context: DecodableKind,
  patched: PatchResult,
  { fatal, shown }: { readonly fatal: string; readonly shown: string },
): StatusError {
  const { findings } = patched.document;
  const isSpecified = findings.length > 0 || hasUnknownField(context.definition.schema, patched.result);
  const original = unusable(context, patched, shown);
  return isSpecified ? ofFatalMistake(notOfKind(context, fatal), original) : original;
}

function ofFatalMistake(own: StatusError, original: StatusError): DecidedError {
  return new DecidedError(own, { decision: 'patchNamesFatalMistake', original });
}

/**
 * The error for a patch whose result is not an object of the type. It names neither kind nor name, because they are
 * unknown.
 */
function unusable(context: DecodableKind, patched: PatchResult, detail: string): StatusError {
  const { oldObject, result, document, request } = patched;
  const printed = isCustom(context) ? sortedValue(result) : result;
  const shown =
    request.patchType === 'strategic'
      ? goPrint(patchInErrors(oldObject, document.patch, context.definition.schema))
      : encodeJson(printed);
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, detail)]);
}
