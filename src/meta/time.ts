import { DecodeError } from './decode-error.ts';
import { goQuote } from './go-quote.ts';

const secondsLayout = '2006-01-02T15:04:05Z07:00';
const microsLayout = '2006-01-02T15:04:05.000000Z07:00';
const canonicalSeconds =
  /^(?!0000|0001-01-01)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Go's zero time, which is encoded as null. */
const zeroTime = '0001-01-01T00:00:00';

/** Returns RFC 3339 in UTC with whole seconds, or null for the zero time. Accepts fractions and truncates them. */
export function canonicalTime(text: string): string | null {
  if (canonicalSeconds.test(text)) return text;
  const { seconds, micros } = parseTime(text, secondsLayout);
  return seconds === zeroTime && micros === '000000' ? null : `${seconds}Z`;
}

/** Returns RFC 3339 in UTC with six decimals, or null for the zero time. Accepts only six decimals. */
export function canonicalMicroTime(text: string): string | null {
  const { seconds, micros } = parseTime(text, microsLayout);
  return seconds === zeroTime && micros === '000000' ? null : `${seconds}.${micros}Z`;
}

let lastSecond = Number.NaN;
let lastText = '';

/** Formats a date like `canonicalTime`. Caches the last result, because a busy server formats the same second often. */
export function formatTime(date: Date): string {
  const second = Math.floor(date.getTime() / 1000);
  if (second !== lastSecond) {
    lastText = `${date.toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** Formats a date like `canonicalMicroTime`. */
export function formatMicroTime(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000Z`;
}

interface ParsedTime {
  readonly seconds: string;
  readonly micros: string;
}

/** Parses text and layout in parallel, as Go does, because Go's error messages quote the rest of both. */
function parseTime(text: string, layout: string): ParsedTime {
  const reader = new TimeReader(text, layout);
  const year = reader.number('2006', { digits: 4 });
  reader.literal('-');
  const month = reader.number('01', { digits: 2, range: [1, 12, 'month'] });
  reader.literal('-');
  const day = reader.number('02', { digits: 2 });
  reader.literal('T');
  const hour = reader.number('15', { digits: 2, lenient: true, range: [0, 23, 'hour'] });
  reader.literal(':');
  const minute = reader.number('04', { digits: 2, range: [0, 59, 'minute'] });
  reader.literal(':');
  const second = reader.number('05', { digits: 2, range: [0, 59, 'second'] });
  const micros = layout === microsLayout ? reader.sixDecimals() : reader.anyDecimals();
  const offset = reader.zoneOffset();
  reader.end();
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) reader.outOfRange('day');
  date.setUTCHours(hour, minute - offset, second);
  return { seconds: isoSeconds(date), micros };
}

function isoSeconds(date: Date): string {
  const year = date.getUTCFullYear();
  const rest = date.toISOString().slice(-20, -5);
  return `${String(Math.max(year, 0)).padStart(4, '0')}${rest}`;
}

interface NumberOptions {
  readonly digits: number;
  /** A single digit is accepted. */
  readonly lenient?: boolean;
  readonly range?: readonly [number, number, string];
}

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  number(element: string, { digits, lenient = false, range }: NumberOptions): number {
    const match = (lenient ? /^\d{1,2}/ : digits === 4 ? /^\d{4}/ : /^\d{2}/).exec(this.#rest);
    if (match === null) throw this.#mismatch(element);
    this.#rest = this.#rest.slice(match[0].length);
    const value = Number(match[0]);
    if (range !== undefined && (value < range[0] || value > range[1])) this.outOfRange(range[2]);
    return value;
  }

  literal(expected: string): void {
    if (!this.#rest.startsWith(expected)) throw this.#mismatch(expected);
    this.#rest = this.#rest.slice(expected.length);
  }

  sixDecimals(): string {
    const match = /^[.,](\d{6})/.exec(this.#rest);
    if (match === null) throw this.#mismatch('.000000');
    this.#rest = this.#rest.slice(7);
    return match[1]!;
  }

  anyDecimals(): string {
    const match = /^[.,](\d+)/.exec(this.#rest);
    if (match === null) return '000000';
    this.#rest = this.#rest.slice(match[0].length);
    return match[1]!.padEnd(6, '0').slice(0, 6);
  }

  /** Minutes east of UTC. */
  zoneOffset(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const match = /^([+-])(\d\d):(\d\d)/.exec(this.#rest);
    if (match === null) throw this.#mismatch('Z07:00');
    this.#rest = this.#rest.slice(6);
    const hours = Number(match[2]);
    const minutes = Number(match[3]);
    if (hours > 24) this.outOfRange('time zone offset hour');
    if (minutes > 60) this.outOfRange('time zone offset minute');
    return (hours * 60 + minutes) * (match[1] === '-' ? -1 : 1);
  }

  end(): void {
    if (this.#rest !== '') throw this.#failure(`: extra text: ${goQuote(this.#rest)}`);
  }

  outOfRange(what: string): never {
    throw this.#failure(`: ${what} out of range`);
  }

  #mismatch(element: string): DecodeError {
    return this.#failure(` as ${goQuote(this.#layout)}: cannot parse ${goQuote(this.#rest)} as ${goQuote(element)}`);
  }

  #failure(detail: string): DecodeError {
    return new DecodeError(`parsing time ${goQuote(this.#text)}${detail}`);
  }
}
