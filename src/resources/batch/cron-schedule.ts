import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { parseInt64 } from '../../meta/label-requirement.ts';
import { isTimeZone } from './time-zone.ts';

interface FieldRange {
  readonly minimum: number;
  readonly maximum: number;
  /** Names of the numbers, starting with the minimum. */
  readonly names?: readonly string[];
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const days = 'sun mon tue wed thu fri sat'.split(' ');
const ranges: readonly FieldRange[] = [
  { minimum: 0, maximum: 59 },
  { minimum: 0, maximum: 23 },
  { minimum: 1, maximum: 31 },
  { minimum: 1, maximum: 12, names: months },
  { minimum: 0, maximum: 6, names: days },
];

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const every = '@every ';
const zonePrefix = /^(?:CRON_)?TZ=/;
/** The white space of Go's `strings.Fields`, as far as it occurs in practice. */
const whiteSpace = /[\s\u0085]+/u;

/** Returns the first problem of a schedule, or undefined when it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  let rest = schedule;
  if (zonePrefix.test(schedule)) {
    const space = schedule.indexOf(' ');
    const zone = schedule.slice(schedule.indexOf('=') + 1, space === -1 ? undefined : space);
    if (!isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
    rest = space === -1 ? '' : schedule.slice(space).trim();
  }
  if (rest.startsWith('@')) return descriptorProblem(rest);
  const fields = rest.split(whiteSpace).filter((field) => field !== '');
  if (fields.length !== ranges.length) {
    return `expected exactly ${ranges.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const expression of field.split(',')) {
      const problem = expression === '' ? undefined : expressionProblem(expression, ranges[index]!);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(descriptor: string): string | undefined {
  if (descriptors.includes(descriptor)) return undefined;
  if (!descriptor.startsWith(every)) return `unrecognized descriptor: ${descriptor}`;
  try {
    parseDuration(descriptor.slice(every.length));
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return `failed to parse duration ${descriptor}: ${error.message}`;
    throw error;
  }
}

/** Checks a number, a range or `*`, with or without steps: `5`, `1-5`, `*`, `10/2`, `JAN-MAR`. */
function expressionProblem(expression: string, range: FieldRange): string | undefined {
  const [span = '', ...steps] = expression.split('/');
  const limits = span.split('-');
  const all = limits[0] === '*' || limits[0] === '?';
  const first = all ? range.minimum : numberOf(limits[0]!, range.names);
  if (typeof first === 'string') return first;
  if (!all && limits.length > 2) return `too many hyphens: ${expression}`;
  let last: number | string = first;
  if (all) last = range.maximum;
  else if (limits.length === 2) last = numberOf(limits[1]!, range.names);
  if (typeof last === 'string') return last;
  if (steps.length > 1) return `too many slashes: ${expression}`;
  const step = steps.length === 0 ? 1 : numberOf(steps[0]!);
  if (typeof step === 'string') return step;
  // A start with steps extends to the maximum.
  if (steps.length === 1 && limits.length === 1) last = range.maximum;
  return boundsProblem({ first, last, step }, range, expression);
}

function boundsProblem(
  { first, last, step }: { first: number; last: number; step: number },
  { minimum, maximum }: FieldRange,
  expression: string,
): string | undefined {
  if (first < minimum) return `beginning of range (${first}) below minimum (${minimum}): ${expression}`;
  if (last > maximum) return `end of range (${last}) above maximum (${maximum}): ${expression}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${expression}`;
  return step === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** Returns the parsed number, or an error message. */
function numberOf(text: string, names?: readonly string[]): number | string {
  const position = names?.indexOf(text.toLowerCase()) ?? -1;
  if (position !== -1) return names === months ? position + 1 : position;
  const value = parseInt64(text);
  if (value === undefined) {
    const reason = /^[+-]?[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${reason}`;
  }
  return value < 0n ? `negative number (${value}) not allowed: ${text}` : Number(value);
}
