import { requestBounds } from '../../codec/document-bounds.ts';
import { decodeJson } from '../../codec/json/index.ts';
import { applyJsonPatch } from '../../merge/index.ts';
import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { apiVersionOf } from '../../meta/group-version.ts';
import { isJsonEqual, isJsonObject } from '../../meta/json-object.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { internalError, StatusError } from '../../meta/status-error.ts';
import type { AdmissionTarget } from '../admission-request.ts';

export type PatchOperations = readonly object[];

/** Throws a 500 for a patch that is not a list of operations. */
export function readPatch(patch: Buffer): PatchOperations {
  const operations = orInternalError(() => decodeJson(patch, requestBounds).value ?? []);
  if (Array.isArray(operations)) return operations as PatchOperations;
  // This leads to the same error as operations that are not objects.
  return [operations as object];
}

export interface PatchedObject {
  readonly object: ResourceObject;
  readonly isChanged: boolean;
}

/**
 * Applies the patch of a webhook and reads the result like the body of a request. Throws a 500 when that is not
 * possible, for any failure policy.
 */
export function patchObject(
  object: ResourceObject,
  operations: PatchOperations,
  target: AdmissionTarget,
): PatchedObject {
  const value = orInternalError(() => applyJsonPatch(object, operations, { fieldValidation: 'Ignore' }));
  const result = orInternalError(() => decoded(value, target));
  // Reading may change how a value is written, so an equal value counts as well as an equal object.
  return { object: result, isChanged: !isJsonEqual(value, object) && !isJsonEqual(result, object) };
}

function decoded(value: unknown, target: AdmissionTarget): ResourceObject {
  if (!isJsonObject(value)) throw new DecodeError('the patched value is not an object');
  const { kind: expected } = target.kind;
  const apiVersion = apiVersionOf(target.kind);
  const { kind = expected, apiVersion: received = apiVersion } = value;
  if (kind !== expected || received !== apiVersion) {
    throw new DecodeError(`no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(received))}`);
  }
  return target.objects.decode({ ...value, kind, apiVersion: received });
}

function orInternalError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asInternalError(error);
  }
}

/** Errors about patches are written for the sender of the patch. Here their cause is shown instead. */
function asInternalError(error: unknown): unknown {
  if (error instanceof DecodeError || error instanceof BoundsError)
    return internalError(error.message, { cause: error });
  if (!(error instanceof StatusError)) return error;
  return internalError(error.cause instanceof Error ? error.cause.message : error.message, { cause: error });
}
