import { Duration, type Environment, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { spend } from '../work.ts';
import { durationText, timestampText } from './conversions.ts';
import { defineFunctions } from './define-functions.ts';

const clause = /%(?:\.([0-9]+))?(.?)/gsu;
const maxDecimals = 100;

/** `'%s is %d'.format([a, b])`, with the verbs s, d, f, e, b, o, x and X. */
export function registerFormat(environment: Environment): void {
  defineFunctions(environment, { 'string.format(list): string': format });
}

function format(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replace(clause, (_whole, decimals: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= values.length) throw new CelError(`index ${next} out of range`);
    const written = formatValue(values[next++], verb, decimals === undefined ? 6 : Number(decimals));
    spend(written.length / 10);
    return written;
  });
}

function formatValue(value: unknown, verb: string, decimals: number): string {
  if (decimals > maxDecimals) throw new CelError(`precision must not be larger than ${maxDecimals}`);
  const number = value instanceof UnsignedInt ? (value.valueOf() as bigint) : value;
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      if (typeof number === 'bigint' || (typeof number === 'number' && !Number.isFinite(number))) return textOf(number);
      break;
    case 'f':
    case 'e':
      if (typeof number === 'number' || typeof number === 'bigint') return decimal(Number(number), verb, decimals);
      break;
    case 'b':
      if (typeof number === 'boolean') return number ? '1' : '0';
      if (typeof number === 'bigint') return number.toString(2);
      break;
    case 'o':
      if (typeof number === 'bigint') return number.toString(8);
      break;
    case 'x':
    case 'X': {
      const hexadecimal = hexadecimalOf(number);
      if (hexadecimal !== undefined) return verb === 'x' ? hexadecimal : hexadecimal.toUpperCase();
      break;
    }
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause ${goQuote(verb)}`);
  }
  throw new CelError(`error during formatting: %${verb} does not fit the value`);
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

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  }
  if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value);
  }
  if (value instanceof UnsignedInt) return value.toString();
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Date) return timestampText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (typeof value === 'object') {
    const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
    const texts = entries.map(([key, item]): [string, string] => [textOf(key), textOf(item)]);
    return `{${texts
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${key}: ${item}`)
      .join(', ')}}`;
  }
  throw new CelError('error during formatting: no such overload');
}
