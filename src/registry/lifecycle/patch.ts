import { encodeJson } from '../../codec/json/index.ts';
import {
  applyJsonMergePatch,
  applyJsonPatch,
  applyStrategicMergePatch,
  goPrint,
  restoreProblem,
} from '../../merge/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest, invalid, notFound, type StatusError } from '../../meta/status-error.ts';
import { Findings } from '../../schema/normalize/index.ts';
import type { DecodableKind } from '../decodable-kind.ts';
import { entriesOf } from '../decode-object.ts';
import { checkNameMatch, checkNamespaceMatch } from '../match-request.ts';
import type { PatchRequest, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { type PatchDocument, parsePatch } from './patch-document.ts';
import { kindProblem } from './patched-kind.ts';
import { subresourceOf, type WrittenPart } from './prepare-update.ts';
import { replace } from './replace.ts';

/** PATCH: applied to the newest state, again when another writer was faster. */
export async function patch(context: ResourceContext, request: PatchRequest, part: WrittenPart): Promise<WriteResult> {
  const { namespace, name, user, dryRun, warn, fieldManager: manager } = request;
  const apply = patchOf(context, request);
  const writer = { manager, subresource: subresourceOf(part) };
  const sentFor = (live: ResourceObject) => {
    const { object: next, sentEntries } = apply(live);
    checkNameMatch(next, name);
    checkNamespaceMatch(context, next, namespace);
    return context.ownership.tracked({ live, next, sentEntries }, writer);
  };
  const bytes = await replace(context, { namespace, name, user, dryRun, part, warn, sentFor, uidIsField: true });
  if (bytes === undefined) throw notFound(context.groupResource, name);
  return { bytes, created: false };
}

/** The request as a function from an object to what it is to become, in canonical form with defaults. */
export function patchOf(kind: DecodableKind, request: PatchRequest): (stored: ResourceObject) => PatchedObject {
  const document = parsePatch(request);
  return (stored) => patched(kind, { stored, document, request });
}

interface PatchedObject {
  readonly object: ResourceObject;
  /** `metadata.managedFields` as the patch has made it. */
  readonly sentEntries: unknown;
}

interface PatchInput {
  readonly stored: ResourceObject;
  readonly document: PatchDocument;
  readonly request: PatchRequest;
}

/** All work on a patch descends as deep as it is, and nothing is left half done by giving up. */
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
  const result = applied(context, input);
  const findings = new Findings();
  const object = decoded(context, { result, findings, document, request });
  context.definition.rules.setDefaults?.(object);
  const texts = [...document.findings, ...findings.texts];
  if (texts.length > 0 && request.fieldValidation === 'Strict') {
    throw unusable({ result, document, request }, `strict decoding error: ${texts.join(', ')}`);
  }
  if (request.fieldValidation === 'Warn') texts.forEach(request.warn);
  return { object, sentEntries: entriesOf(result) };
}

function applied(context: DecodableKind, { stored, document, request }: PatchInput): unknown {
  const { patch } = document;
  if (request.patchType === 'json') return applyJsonPatch(stored, patch, request);
  if (request.patchType === 'merge') return applyJsonMergePatch(stored, patch, request);
  return applyStrategicMergePatch(stored, patch, context.definition.schema);
}

interface PatchResult {
  readonly result: unknown;
  readonly document: PatchDocument;
  readonly request: PatchRequest;
}

function decoded(context: DecodableKind, patched: PatchResult & { readonly findings: Findings }): ResourceObject {
  const { result, findings, request } = patched;
  const isStrategic = request.patchType === 'strategic';
  // What a strategic merge patch says about the kind is of no consequence.
  const problem = isStrategic ? undefined : kindProblem(context, result);
  if (problem !== undefined) throw unusable(patched, problem);
  try {
    return context.compiled.normalize(result, findings);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const restore = isStrategic ? restoreProblem(context.definition.schema, result) : undefined;
    throw unusable(patched, restore ?? error.message);
  }
}

/** A patch whose result is no object of the type names neither kind nor name: it cannot know them. */
function unusable({ result, document, request }: PatchResult, detail: string): StatusError {
  const shown = request.patchType === 'strategic' ? goPrint(document.patch) : encodeJson(result);
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, detail)]);
}
