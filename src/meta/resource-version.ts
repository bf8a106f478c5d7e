import { goQuote } from './go-quote.ts';
import { badRequest } from './status-error.ts';

const maxUint64 = 2n ** 64n - 1n;

/**
 * Parses an object's `metadata.resourceVersion` into a revision. Callers handle the empty string.
 *
 * @throws StatusError 400 with the text of Go's parser. kube-apiserver answers 500, but the error is the client's.
 */
export function parseResourceVersion(text: string): number {
  const problem = problemOf(text);
  if (problem !== undefined) throw badRequest(problem);
  return Number(text);
}

/** Parses the query parameter `resourceVersion`. The error for a list has a different text. */
export function parseResourceVersionOption(text: string, verb: 'get' | 'list' | 'watch'): number {
  const problem = problemOf(text);
  if (problem === undefined) return Number(text);
  const message = `resourceVersion: Invalid value: ${goQuote(text)}: ${problem}`;
  throw badRequest(verb === 'list' ? `invalid resource version: ${message}` : message);
}

/** Whether a version is zero in any spelling. Version zero refers to no particular state. */
export function isVersionZero(text: string): boolean {
  return text === '0' || /^0+$/.test(text);
}

function problemOf(text: string): string | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return undefined;
  const cause = !/^[0-9]+$/.test(text) ? 'invalid syntax' : BigInt(text) > maxUint64 ? 'value out of range' : undefined;
  return cause && `strconv.ParseUint: parsing ${goQuote(text)}: ${cause}`;
}
