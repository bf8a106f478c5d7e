import { CelError, CelMessage, jsonOf } from '../../cel/index.ts';
import { applyJsonPatch, FailedTest, JsonPatchFailure } from '../../merge/index.ts';
import { ConfigurationError, mergeConfiguration } from '../../merge/managed-fields/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { internalError, StatusError } from '../../meta/status-error.ts';
import type { AdmissionTarget } from '../admission-request.ts';
import { typeNameProblem } from './type-names.ts';

/** A failed mutation. The failure policy decides the result. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}

export interface MutatedObject {
  readonly object: ResourceObject;
  /** The endpoint in whose version the object is. */
  readonly target: AdmissionTarget;
}

/** Applies the result of an `applyConfiguration` expression. Throws a `MutationError`. */
export function applyConfiguration(value: unknown, { object, target }: MutatedObject): ResourceObject {
  const root = value as CelMessage;
  const problem = typeNameProblem(root);
  if (problem !== undefined) throw new MutationError(problem);
  try {
    const { apiVersion, kind } = object;
    const configuration = { ...(json(root) as object), apiVersion, kind };
    return target.objects.decode(mergeConfiguration(target.objects.shape(), object, configuration));
  } catch (error) {
    if (error instanceof ConfigurationError) throw new MutationError(`error applying patch: ${error.message}`);
    if (error instanceof DecodeError) throw new MutationError(error.message);
    throw error;
  }
}

/**
 * Applies the result of a `jsonPatch` expression. Returns the object itself when a `test` operation fails. Throws a
 * `MutationError`, or a `StatusError` when the result is not an object of the kind.
 */
export function applyPatch(value: unknown, { object, target }: MutatedObject): ResourceObject {
  const operations = (value as readonly CelMessage[]).map(operationOf);
  const result = patched(object, operations);
  if (result === object) return object;
  try {
    return target.objects.decode(result, { strict: true });
  } catch (error) {
    if (error instanceof DecodeError) throw internalError(error.message, { cause: error });
    throw error;
  }
}

function operationOf({ fields }: CelMessage): object {
  const { op = '', path = '', from = '' } = Object.fromEntries(fields);
  const operation = { op, path, ...(from !== '' && { from }) };
  const value = fields.get('value');
  if (value === undefined) return operation;
  const problem = value instanceof CelMessage ? typeNameProblem(value) : undefined;
  if (problem !== undefined) throw new MutationError(problem);
  return { ...operation, value: json(value) };
}

function patched(object: ResourceObject, operations: readonly object[]): unknown {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    const cause = error instanceof StatusError ? error.cause : undefined;
    if (cause instanceof FailedTest) return object;
    if (cause instanceof JsonPatchFailure) throw new MutationError(`JSON Patch: ${cause.message}`);
    throw error;
  }
}

function json(value: unknown): unknown {
  try {
    return jsonOf(value);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    const problem = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';
    throw new MutationError(`${problem}: ${error.message}`);
  }
}
