import { unprocessable } from '../meta/status-error.ts';
import { JsonDocument, JsonPatchFailure } from './json-document.ts';
import { decodeJsonPatch, type JsonPatchOperation } from './json-patch-operations.ts';
import type { PatchOptions } from './patch-options.ts';

/** Limits the total size of copied values, because a patch can copy a large part of the document many times. */
const maxCopiedBytes = 3 * 1024 * 1024;

/**
 * Applies a JSON Patch (RFC 6902) atomically.
 *
 * Deviates from the RFC where Kubernetes does: `replace` adds a missing member, `add` without a value adds null, a
 * negative index counts from the end, text before the first slash of a path is ignored, and a missing member equals
 * null in `test` and `copy`.
 *
 * @throws StatusError 400 for a malformed patch, 413 for too many operations, 422 when it cannot be applied
 */
export function applyJsonPatch(target: unknown, patch: unknown, options: PatchOptions = {}): unknown {
  const operations = decodeJsonPatch(patch, options);
  const document = new JsonDocument(target);
  let copied = 0;
  try {
    for (const operation of operations) {
      copied += apply(operation, document);
      if (copied > maxCopiedBytes) throw new JsonPatchFailure('the copied values are too large');
    }
  } catch (error) {
    if (error instanceof JsonPatchFailure) throw unprocessable({ cause: error });
    throw error;
  }
  return document.result();
}

/** Returns the number of copied bytes. */
function apply(operation: JsonPatchOperation, document: JsonDocument): number {
  switch (operation.op) {
    case 'add':
      document.add(pathOf(operation), operation.value ?? null);
      return 0;
    case 'remove':
      document.remove(pathOf(operation));
      return 0;
    case 'replace':
      document.replace(pathOf(operation), operation.value ?? null);
      return 0;
    case 'move':
      document.move(fromOf(operation), pathOf(operation));
      return 0;
    case 'copy':
      return document.copy(fromOf(operation), pathOf(operation));
    case 'test':
      document.test(pathOf(operation), operation.value ?? null);
      return 0;
    default:
      throw new JsonPatchFailure(`Unexpected kind: ${String(operation.op ?? 'unknown')}`);
  }
}

function pathOf({ op, path }: JsonPatchOperation): string {
  if (typeof path !== 'string') throw new JsonPatchFailure(`${op} operation failed to decode path`, 'missing value');
  return path;
}

function fromOf({ op, from }: JsonPatchOperation): string {
  if (typeof from !== 'string') throw new JsonPatchFailure(`${op} operation failed to decode from`, 'missing value');
  return from;
}
