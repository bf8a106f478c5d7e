import { goQuote } from '../meta/go-quote.ts';
import { badRequest } from '../meta/status-error.ts';
import type { RequestContext } from './request-context.ts';

const int64Bound = 2n ** 63n;
const trueValues = new Set(['', '1', 'true']);
const falseValues = new Set(['0', 'false']);

/** Undefined when the parameter is absent. A bare `?watch` and an empty value are true, as in Kubernetes. */
export function booleanParameter(context: RequestContext, name: string): boolean | undefined {
  if (context.exchange.query === '') return undefined;
  const text = context.query.get(name);
  if (text === null) return undefined;
  const value = text.toLowerCase();
  if (trueValues.has(value)) return true;
  if (falseValues.has(value)) return false;
  if (!context.compatibility.strictBooleans) return true;
  throw notBoolean(name, text);
}

/** Undefined when the parameter is absent. */
export function integerParameter(context: RequestContext, name: string): number | undefined {
  if (context.exchange.query === '') return undefined;
  const text = context.query.get(name);
  return text === null ? undefined : integerValue(text);
}

export function integerValue(text: string): number {
  const problem = integerProblem(text);
  if (problem !== undefined) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`);
  return Number(text);
}

function integerProblem(text: string): string | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return 'invalid syntax';
  // Short numbers are always in range.
  if (text.length <= 15) return undefined;
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return value < -int64Bound || value >= int64Bound ? 'value out of range' : undefined;
}

/** The 400 for a value that is neither true nor false. */
export function notBoolean(name: string, text: string): Error {
  return badRequest(`${name}: Invalid value: ${goQuote(text)}: must be true or false`);
}
