import { decodeJson } from '../../codec/json/index.ts';
import { jsonPatchFindings } from '../../merge/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { badRequest, type StatusError } from '../../meta/status-error.ts';
import type { PatchRequest } from '../resource.ts';

export interface PatchDocument {
  readonly patch: unknown;
  /** What strict decoding would refuse in the patch itself, whatever comes out of it. */
  readonly findings: readonly string[];
}

const mostFindings = 100;

/** @throws StatusError 400 when the body is not JSON */
export function parsePatch(request: PatchRequest): PatchDocument {
  const { value: patch, duplicates } = decoded(request);
  if (request.fieldValidation === 'Ignore') return { patch, findings: [] };
  const isJsonPatch = request.patchType === 'json';
  const prefix = isJsonPatch ? 'json patch ' : '';
  const repeated = duplicates.slice(0, mostFindings).map((path) => `${prefix}duplicate field ${goQuote(path)}`);
  const unknown = isJsonPatch ? jsonPatchFindings(patch) : [];
  return { patch, findings: [...repeated, ...unknown].slice(0, mostFindings) };
}

function decoded(request: PatchRequest): ReturnType<typeof decodeJson> {
  try {
    return decodeJson(request.body);
  } catch (error) {
    throw error instanceof DecodeError ? unreadable(request, error) : error;
  }
}

/** Who does not want to know about mistakes is told less about this one too. */
function unreadable({ patchType, fieldValidation }: PatchRequest, cause: DecodeError): StatusError {
  if (patchType === 'strategic') return badRequest(cause.message, { cause });
  if (fieldValidation !== 'Ignore') return badRequest(`error decoding patch: ${cause.message}`, { cause });
  return badRequest(patchType === 'merge' ? 'Invalid JSON Patch' : cause.message, { cause });
}
