import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { durationText, timestampText } from '../evaluate/texts.ts';
import {
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from '../evaluate/values.ts';
import { spend, workPerItem } from '../work.ts';

const clause = /%(?:\.([0-9]+))?(.?)/suy;
const maxDecimals = 100;
const maxDepth = 100;

/** `'%s is %d'.format([a, b])`, with the verbs s, d, f, e, b, o, x and X. */
export function format(text: string, values: ListValue): string {
  const pieces: string[] = [];
  let next = 0;
  let end = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', end)) {
    spend(workPerItem);
    pieces.push(text.slice(end, at));
    clause.lastIndex = at;
    const [whole, decimals, verb = ''] = clause.exec(text)!;
    end = at + whole.length;
    if (verb === '%') {
      pieces.push('%');
      continue;
    }
    if (next >= values.length) throw new CelError(`index ${next} out of range`);
    const written = formatValue(values.get(next++), verb, decimals === undefined ? 6 : Number(decimals));
    spend(1 + written.length / 10);
    pieces.push(written);
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}

function formatValue(value: unknown, verb: string, decimals: number): string {
  if (decimals > maxDecimals) throw new CelError(`precision must not be larger than ${maxDecimals}`);
  const number = value instanceof Uint ? value.value : value;
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      if (typeof number === 'bigint' || (typeof number === 'number' && !Number.isFinite(number))) return textOf(number);
      throw wrongValue('decimal', 'integers', value);
    case 'f':
    case 'e':
      if (typeof number === 'number' || typeof number === 'bigint') return decimal(Number(number), verb, decimals);
      throw wrongValue(verb === 'f' ? 'fixed-point' : 'scientific', 'doubles', value);
    case 'b':
      if (typeof number === 'boolean') return number ? '1' : '0';
      if (typeof number === 'bigint') return number.toString(2);
      throw wrongValue('binary', 'integers and bools', value);
    case 'o':
      if (typeof number === 'bigint') return number.toString(8);
      throw wrongValue('octal', 'integers', value);
    case 'x':
    case 'X': {
      const hexadecimal = hexadecimalOf(number);
      if (hexadecimal === undefined) throw wrongValue('hex', 'integers, byte buffers, and strings', value);
      return verb === 'x' ? hexadecimal : hexadecimal.toUpperCase();
    }
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause ${goQuote(verb)}`);
  }
}

function wrongValue(clauseName: string, allowed: string, value: unknown): CelError {
  return new CelError(
    `error during formatting: ${clauseName} clause can only be used on ${allowed}, was given ${typeNameOf(value)}`,
  );
}

function decimal(value: number, verb: 'f' | 'e', decimals: number): string {
  if (!Number.isFinite(value)) return textOf(value);
  if (verb === 'f') return value.toFixed(decimals);
  return value.toExponential(decimals).replace(/e([+-])(\d)$/, 'e$10$2');
}

function hexadecimalOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined;
}

function textOf(value: unknown, depth = 0): string {
  spend(1);
  if (depth > maxDepth) throw new CelError(`error during formatting: nested deeper than ${maxDepth} levels`);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof ListValue) {
    const texts: string[] = [];
    for (let index = 0; index < value.length; index++) texts.push(textOf(value.get(index), depth + 1));
    return `[${texts.join(', ')}]`;
  }
  if (value instanceof MapValue) {
    const texts = value.keys().map((key) => ({ key: textOf(key), item: textOf(value.find(key), depth + 1) }));
    return `{${texts
      .sort((left, right) => (left.key < right.key ? -1 : 1))
      .map(({ key, item }) => `${key}: ${item}`)
      .join(', ')}}`;
  }
  const type = value instanceof OpaqueValue ? value.typeName : typeNameOf(value);
  throw new CelError(
    `error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${type}`,
  );
}
