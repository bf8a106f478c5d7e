import { DecodeError } from '../meta/decode-error.ts';
import { goQuote } from '../meta/go-quote.ts';
import { jsonTypeName } from '../meta/go-value.ts';
import { entriesOf, isJsonObject, memberOf } from '../meta/json-object.ts';
import type { JsonSource } from '../meta/json-source.ts';
import { badRequest, tooLargeBody } from '../meta/status-error.ts';
import type { PatchOptions } from './patch-options.ts';

const maxOperations = 10_000;
const textMembers = ['op', 'path', 'from'] as const;
const knownMembers: readonly string[] = [...textMembers, 'value'];

/** An operation that is decoded but not yet validated. */
export interface JsonPatchOperation {
  readonly op: unknown;
  readonly path: unknown;
  readonly from: unknown;
  readonly value: unknown;
}

/** How kube-apiserver decodes operations. Each way has its own Go types, which appear in error messages. */
type Decoding = 'strict' | 'lenient';

/** @throws StatusError 400 for anything but a list of operations, 413 for too long a list */
export function decodeJsonPatch(patch: unknown, { fieldValidation = 'Warn' }: PatchOptions): JsonPatchOperation[] {
  if (patch === null) return [];
  const decoding = fieldValidation === 'Ignore' ? 'lenient' : 'strict';
  if (!Array.isArray(patch)) {
    throw mismatch(patch, decoding === 'strict' ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch', decoding);
  }
  const operations = patch.map((operation) => decodeOperation(operation, decoding));
  if (operations.length > maxOperations) {
    throw tooLargeBody(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`);
  }
  return operations;
}

function decodeOperation(operation: unknown, decoding: Decoding): JsonPatchOperation {
  if (operation !== null && !isJsonObject(operation)) {
    throw mismatch(operation, decoding === 'strict' ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation', decoding);
  }
  const member = (key: string) => (operation === null ? undefined : (memberOf(operation, key) ?? undefined));
  if (decoding === 'strict') {
    for (const key of textMembers) {
      const value = member(key);
      if (value !== undefined && typeof value !== 'string') {
        throw badRequest(`error decoding patch: ${textMismatch(key, value)}`);
      }
    }
  }
  return { op: member('op'), path: member('path'), from: member('from'), value: member('value') };
}

/** Throws `DecodeError` when an earlier occurrence of a repeated member has a value of the wrong type. */
export function checkRepeatedMembers(patch: unknown, { superseded }: JsonSource): void {
  if (!Array.isArray(patch)) return;
  for (const operation of patch.filter(isJsonObject)) {
    for (const key of textMembers) {
      const mismatched = superseded
        .get(operation)
        ?.get(key)
        ?.find((holder) => !isTextOrNull(holder[key]));
      if (mismatched !== undefined) throw new DecodeError(textMismatch(key, mismatched[key]));
    }
  }
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function textMismatch(key: string, value: unknown): string {
  return `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field jsonPatchOp.${key} of type string`;
}

function mismatch(value: unknown, goType: string, decoding: Decoding) {
  const prefix = decoding === 'strict' ? 'error decoding patch: ' : '';
  return badRequest(`${prefix}json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${goType}`);
}

/** Returns the field validation findings for the operations themselves: members that no operation has. */
export function jsonPatchFindings(patch: unknown): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation, index) => {
    if (!isJsonObject(operation)) return [];
    const unknown = entriesOf(operation).filter(([key]) => !knownMembers.includes(key));
    return unknown.map(([key]) => `json patch unknown field ${goQuote(`[${index}].${key}`)}`);
  });
}
