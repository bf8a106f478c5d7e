import { goPrint, goType } from '../../meta/go-value.ts';
import type { JsonObject } from '../../meta/json-object.ts';
import { badRequest, type StatusError, unclassified } from '../../meta/status-error.ts';

// Errors in a strategic merge patch. Kubernetes does not classify most of them.

export function badRetainKeys(): StatusError {
  return badRequest('invalid patch format of retainKeys');
}

export function badPrimitiveDeletion(): StatusError {
  return badRequest('invalid patch format of primitive list');
}

export function badElementOrder(): StatusError {
  return badRequest('invalid patch format of setElementOrder list');
}

export function unknownDirective(directive: unknown, patch: JsonObject): StatusError {
  return unclassified(`unknown patch type: ${goPrint(directive)} in map: ${goPrint(patch)}`);
}

export function missingMergeKey(element: JsonObject, mergeKey: string): StatusError {
  return unclassified(`map: ${goPrint(element)} does not contain declared merge key: ${mergeKey}`);
}

/** Go formats the type with `%s`, which has no text for the type of null. */
export function unexpectedType(expected: 'list' | 'map', value: unknown): StatusError {
  const received = value === null ? '%!s(<nil>)' : goType(value);
  return unclassified(`expected a ${goType(expected === 'list' ? [] : {})}, but received a ${received}`);
}

export function mixedElements(lists: readonly (readonly unknown[])[]): StatusError {
  return unclassified(`list element types are not identical: ${goPrint(lists)}`);
}

export function outOfOrder(patch: readonly unknown[], order: readonly unknown[]): StatusError {
  return unclassified(
    `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`,
  );
}
