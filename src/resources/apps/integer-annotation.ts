import { goQuote } from '../../meta/go-quote.ts';
import { parseInt64 } from '../../meta/label-requirement.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest } from '../../meta/status-error.ts';

/**
 * Reads a number that earlier API versions had in a field and that is in an annotation now. Undefined when the
 * annotation is absent or not an integer.
 */
export function integerAnnotation({ metadata }: ResourceObject, key: string): bigint | undefined {
  const text = metadata.annotations?.[key];
  return typeof text === 'string' ? parseInt64(text) : undefined;
}

/**
 * Rewrites the number in canonical format.
 *
 * @throws StatusError 400 when the value is not an integer, because the earlier version could not represent it.
 */
export function normalizeIntegerAnnotation(object: ResourceObject, key: string): void {
  const { kind = '', metadata } = object;
  const text = metadata.annotations?.[key];
  if (text === undefined) return;
  const value = integerAnnotation(object, key);
  if (value === undefined) {
    const problem = /^[-+]?[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
    const reason = `strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`;
    throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${reason}`);
  }
  metadata.annotations![key] = String(value);
}
