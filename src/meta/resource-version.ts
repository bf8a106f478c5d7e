import { goQuote } from './go-quote.ts';
import { badRequest } from './status-error.ts';

const maxUint64 = 2n ** 64n - 1n;

/**
 * The revision that an object's `metadata.resourceVersion` names. The caller knows what the empty string means.
 *
 * @throws StatusError 400 with the parser's words. kube-apiserver answers 500, but the mistake is the client's.
 */
export function parseResourceVersion(text: string): number {
  const problem = problemOf(text);
  if (problem !== undefined) throw badRequest(problem);
  return Number(text);
}

/** The revision of the query option `resourceVersion`; a list refuses a bad one in words of its own. */
export function parseResourceVersionOption(text: string, verb: 'get' | 'list' | 'watch'): number {
  const problem = problemOf(text);
  if (problem === undefined) return Number(text);
  const message = `resourceVersion: Invalid value: ${goQuote(text)}: ${problem}`;
  throw badRequest(verb === 'list' ? `invalid resource version: ${message}` : message);
}

/** Whether a version is zero, which names no state in particular, in any spelling. */
export function isVersionZero(text: string): boolean {
  return text === '0' || /^0+$/.test(text);
}

function problemOf(text: string): string | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return undefined;
  const cause = !/^[0-9]+$/.test(text) ? 'invalid syntax' : BigInt(text) > maxUint64 ? 'value out of range' : undefined;
  return cause && `strconv.ParseUint: parsing ${goQuote(text)}: ${cause}`;
}
