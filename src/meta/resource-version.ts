import { goQuote } from './go-quote.ts';
import { badRequest, unclassified } from './status-error.ts';

const maxUint64 = 2n ** 64n - 1n;

/** A revision that a client states. It is a bigint where a number would be rounded. No store reaches such a revision. */
export type StatedRevision = number | bigint;

/**
 * Parses an object's `metadata.resourceVersion` into a revision. Callers handle the empty string.
 *
 * @throws StatusError with the text of Go's parser
 */
export function parseResourceVersion(text: string): StatedRevision {
  const problem = problemOf(text);
  if (problem !== undefined) throw unclassified(problem);
  return revisionOf(text);
}

/** Parses the query parameter `resourceVersion`. The error for a list has a different text. */
export function parseResourceVersionOption(text: string, verb: 'get' | 'list' | 'watch'): StatedRevision {
  const problem = problemOf(text);
  if (problem === undefined) return revisionOf(text);
  const message = `resourceVersion: Invalid value: ${goQuote(text)}: ${problem}`;
  if (verb === 'list') throw badRequest(`invalid resource version: ${message}`);
  throw unclassified(message);
}

/** Whether a version is zero in any spelling. Version zero refers to no particular state. */
export function isVersionZero(text: string): boolean {
  return text === '0' || /^0+$/.test(text);
}

function revisionOf(text: string): StatedRevision {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function problemOf(text: string): string | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return undefined;
  const cause = !/^[0-9]+$/.test(text) ? 'invalid syntax' : BigInt(text) > maxUint64 ? 'value out of range' : undefined;
  return cause && `strconv.ParseUint: parsing ${goQuote(text)}: ${cause}`;
}
