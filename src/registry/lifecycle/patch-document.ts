import { requestBounds } from '../../codec/document-bounds.ts';
import { decodeJson, type ExactJson } from '../../codec/json/index.ts';
import { jsonPatchFindings } from '../../merge/index.ts';
import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import { badRequest, type StatusError, tooLargeBody } from '../../meta/status-error.ts';
import type { PatchRequest } from '../resource.ts';

export interface PatchDocument {
  readonly patch: unknown;
  /** The first findings of strict decoding in the patch itself, independent of its result. */
  readonly findings: readonly string[];
  /** The number of further findings. */
  readonly omitted: number;
  /** The earlier values of repeated keys. Undefined when there are none. */
  readonly repeated: JsonSource | undefined;
}

const maxFindings = 100;
const noTexts: JsonSource['numberTexts'] = new Map();

/** @throws StatusError 400 when the body is not JSON */
export function parsePatch(request: PatchRequest): PatchDocument {
  const { value: patch, duplicates, source } = decoded(request);
  const isJsonPatch = request.patchType === 'json';
  const prefix = isJsonPatch ? 'json patch ' : '';
  const twice = duplicates.map((path) => `${prefix}duplicate field ${goQuote(path)}`);
  const unknown = isJsonPatch ? jsonPatchFindings(patch) : [];
  const findings = [...twice, ...unknown];
  return {
    patch,
    findings: findings.slice(0, maxFindings),
    omitted: Math.max(0, findings.length - maxFindings),
    // The notation of numbers does not matter: they are formatted again before the result is decoded.
    repeated: source && source.superseded.size > 0 ? { ...source, numberTexts: noTexts } : undefined,
  };
}

function decoded(request: PatchRequest): ExactJson {
  try {
    return decodeJson(request.body, requestBounds);
  } catch (error) {
    if (error instanceof BoundsError) throw tooLargeBody(error.message);
    throw error instanceof DecodeError ? unreadable(request, error) : error;
  }
}

/** With `fieldValidation=Ignore` the message has less detail. */
function unreadable({ patchType, fieldValidation }: PatchRequest, cause: DecodeError): StatusError {
  if (patchType === 'strategic') return badRequest(cause.message, { cause });
  if (fieldValidation !== 'Ignore') return badRequest(`error decoding patch: ${cause.message}`, { cause });
  return badRequest(patchType === 'merge' ? 'Invalid JSON Patch' : cause.message, { cause });
}
