import { decodeJson, encodeJson } from '../../codec/json/index.ts';
import { applyJsonMergePatch, applyJsonPatch, applyStrategicMergePatch, goPrint } from '../../merge/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest, invalid, notFound, type StatusError } from '../../meta/status-error.ts';
import { Findings } from '../../schema/normalize/index.ts';
import type { DecodableKind } from '../decodable-kind.ts';
import { checkNameMatch, checkNamespaceMatch } from '../match-request.ts';
import type { PatchRequest, WriteResult } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import type { WrittenPart } from './prepare-update.ts';
import { replace } from './replace.ts';

/** PATCH: applied to the newest state, again when another writer was faster. */
export async function patch(context: ResourceContext, request: PatchRequest, part: WrittenPart): Promise<WriteResult> {
  const { namespace, name, dryRun, warn } = request;
  const apply = patchOf(context, request);
  const sentFor = (stored: ResourceObject) => {
    const object = apply(stored);
    checkNameMatch(object, name);
    checkNamespaceMatch(context, object, namespace);
    return object;
  };
  const bytes = await replace(context, { namespace, name, dryRun, part, warn, sentFor });
  if (bytes === undefined) throw notFound(context.groupResource, name);
  return { bytes, created: false };
}

/** The request as a function from an object to what it is to become, in canonical form with defaults. */
export function patchOf(kind: DecodableKind, request: PatchRequest): (stored: ResourceObject) => ResourceObject {
  const document = parsedPatch(request);
  return (stored) => patched(kind, { stored, patch: document, request });
}

function parsedPatch({ body, patchType }: PatchRequest): unknown {
  try {
    return decodeJson(body).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(patchType === 'strategic' ? error.message : `error decoding patch: ${error.message}`, {
      cause: error,
    });
  }
}

interface PatchInput {
  readonly stored: ResourceObject;
  readonly patch: unknown;
  readonly request: PatchRequest;
}

/** All work on a patch descends as deep as it is, and nothing is left half done by giving up. */
function patched(context: DecodableKind, input: PatchInput): ResourceObject {
  try {
    return patchedObject(context, input);
  } catch (error) {
    const tooDeep = error instanceof DecodeError || (error instanceof RangeError && /call stack/.test(error.message));
    throw tooDeep ? badRequest('exceeded max depth', { cause: error }) : error;
  }
}

function patchedObject(context: DecodableKind, { stored, patch, request }: PatchInput): ResourceObject {
  const result = applied(context, { stored, patch, request });
  const findings = new Findings();
  let object: ResourceObject;
  try {
    object = context.compiled.normalize(result, findings);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw unusable({ result, patch, request }, error.message);
  }
  context.definition.rules.setDefaults?.(object);
  const { texts } = findings;
  if (texts.length > 0 && request.fieldValidation === 'Strict') {
    throw unusable({ result, patch, request }, `strict decoding error: ${texts.join(', ')}`);
  }
  if (request.fieldValidation === 'Warn') texts.forEach(request.warn);
  return object;
}

function applied(context: DecodableKind, { stored, patch, request }: PatchInput): unknown {
  if (request.patchType === 'json') return applyJsonPatch(stored, patch, request);
  if (request.patchType === 'merge') return applyJsonMergePatch(stored, patch, request);
  return applyStrategicMergePatch(stored, patch, context.definition.schema);
}

interface UnusablePatch {
  readonly result: unknown;
  readonly patch: unknown;
  readonly request: PatchRequest;
}

/** A patch whose result is no object of the type names neither kind nor name: it cannot know them. */
function unusable({ result, patch, request }: UnusablePatch, detail: string): StatusError {
  const shown = request.patchType === 'strategic' ? goPrint(patch) : encodeJson(result);
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, detail)]);
}
