import { goFloat } from '../../meta/go-number.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { compareValues } from '../evaluate/equality.ts';
import { durationText, timestampText } from '../evaluate/texts.ts';
import {
  Duration,
  ListValue,
  MapValue,
  MessageValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from '../evaluate/values.ts';
import { spend, workPerItem } from '../work.ts';
import { textOfBytes } from './conversions.ts';
import { fixedText, scientificText } from './decimal-texts.ts';
import { type FormatClause, formattingError, interpolate, wrongArgument } from './format-clauses.ts';

const maxDepth = 100;
/** The decimals of `%f`, and of doubles in lists and maps. Also the width of `%e`, which has no precision. */
const defaultPrecision = 6;

/** `'%s is %d'.format([a, b])`, with the verbs s, d, f, e, b, o, x and X. */
export function format(text: string, values: ListValue): string {
  return interpolate(text, {
    count: values.length,
    write: (clause, index) => {
      spend(workPerItem);
      const written = formatValue(values.get(index), clause);
      spend(1 + written.length / 10);
      return written;
    },
  });
}

function formatValue(value: unknown, { verb, precision = defaultPrecision }: FormatClause): string {
  const text = verb === 's' ? textOf(value) : numberText(value, { verb, precision });
  if (text === undefined) throw wrongArgument(verb, typeNameOf(value));
  return text;
}

/** Undefined when the value does not fit the verb. */
function numberText(value: unknown, { verb, precision }: Required<FormatClause>): string | undefined {
  if (verb === 'f' || verb === 'e') {
    const number = doubleOf(value);
    if (number === undefined) return undefined;
    return verb === 'f' ? fixedText(number, precision!) : scientificText(number, precision!);
  }
  if (verb === 'x' || verb === 'X') {
    const text = hexadecimalOf(value);
    return verb === 'x' ? text : text?.toUpperCase();
  }
  if (typeof value === 'boolean' && verb === 'b') return value ? '1' : '0';
  return integerOf(value)?.toString(verb === 'b' ? 2 : verb === 'o' ? 8 : 10);
}

function integerOf(value: unknown): bigint | undefined {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' ? value : undefined;
}

const namedDoubles: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function doubleOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : namedDoubles.get(value);
}

function hexadecimalOf(value: unknown): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : integerOf(value)?.toString(16);
}

/** The text that `%s` writes. Undefined when it has none. */
function textOf(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return goFloat(value);
    case 'object':
      return value === null ? 'null' : textOfObject(value, depth);
    default:
      return String(value);
  }
}

function textOfObject(value: object, depth: number): string | undefined {
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof ListValue) return listText(value, depth);
  return value instanceof MapValue && !(value instanceof MessageValue) ? mapText(value, depth) : undefined;
}

function bytesText(value: Uint8Array): string {
  try {
    return textOfBytes(value);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    throw formattingError(`could not convert argument ${goQuote(error.message)} to string`);
  }
}

function listText(list: ListValue, depth: number): string {
  const texts: string[] = [];
  for (let index = 0; index < list.length; index++) texts.push(literalOf(list.get(index), depth + 1));
  return `[${texts.join(', ')}]`;
}

function mapText(map: MapValue, depth: number): string {
  const entries = map.keys().map((key) => ({ key: literalOf(key, depth), item: literalOf(map.find(key), depth + 1) }));
  return `{${entries
    .sort((left, right) => compareValues(left.key, right.key))
    .map(({ key, item }) => `${key}:${item}`)
    .join(', ')}}`;
}

/** Inside of lists and maps, values are written as they would be in an expression. */
function literalOf(value: unknown, depth: number): string {
  spend(1);
  if (depth > maxDepth) throw formattingError(`nested deeper than ${maxDepth} levels`);
  if (typeof value === 'number') return Number.isFinite(value) ? plainDouble(value) : goQuote(goFloat(value));
  const text = textOf(value, depth);
  if (text === undefined) throw formattingError(`no formatting function for ${typeNameOf(value)}`);
  if (typeof value === 'string') return goQuote(text);
  if (value instanceof Uint8Array) return `b${goQuote(text)}`;
  if (value instanceof Timestamp) return `timestamp(${goQuote(text)})`;
  return value instanceof Duration ? `duration(${goQuote(text)})` : text;
}

/** Without separators, so that it can be read again. */
function plainDouble(value: number): string {
  const sign = Object.is(value, -0) ? '-' : '';
  return sign + fixedText(value, defaultPrecision).replaceAll(',', '');
}
