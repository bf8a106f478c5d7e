import { goQuote } from '../../meta/go-quote.ts';
import { parseInt64 } from '../../meta/label-requirement.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { badRequest } from '../../meta/status-error.ts';

/**
 * Some numbers that earlier versions of a kind had in fields are in annotations now. Undefined when there is none or it
 * cannot be read.
 */
export function integerAnnotation({ metadata }: ResourceObject, key: string): bigint | undefined {
  const text = metadata.annotations?.[key];
  return typeof text === 'string' ? parseInt64(text) : undefined;
}

/**
 * Brings the number into its one spelling.
 *
 * @throws StatusError 400 when it is no integer: the object could not be told in the earlier version.
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
