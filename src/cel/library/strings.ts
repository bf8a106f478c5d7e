import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import {
  type CallCost,
  type EstimatedCall,
  perCharacter,
  plus,
  type Range,
  scaled,
  times,
  traversal,
} from '../cost/call-cost.ts';
import { shownText } from '../evaluate/shown-text.ts';
import { ListValue, sizeOf } from '../evaluate/values.ts';
import { spend, spendOnPieces, spendOnSearch } from '../work.ts';
import { format } from './format.ts';
import { copyCost, readAllCost, textCost } from './text-costs.ts';

const ascii = /^[\x00-\x7f]*$/;
/** White space as defined by Unicode, which differs from that of JavaScript's `trim`. */
const space = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leadingSpace = new RegExp(`^${space}+`);
const trailingSpace = new RegExp(`(?<!${space})${space}+$`);

/** The characters of a text, indexed by position. */
function characters(text: string): ArrayLike<string> {
  return ascii.test(text) ? text : Array.from(text);
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function charAt(text: string, index: bigint): string {
  const all = characters(text);
  if (index < 0n || index > BigInt(all.length)) throw outOfRange(index);
  return all[Number(index)] ?? '';
}

function substring(text: string, start: bigint, end?: bigint): string {
  const all = characters(text);
  const size = BigInt(all.length);
  const until = end ?? size;
  if (end !== undefined && start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) throw outOfRange(start);
  if (until < 0n || until > size) throw outOfRange(until);
  const [from, to] = [Number(start), Number(until)];
  return typeof all === 'string' ? all.slice(from, to) : Array.from(all).slice(from, to).join('');
}

function contains(text: string, substring: string): boolean {
  spendOnSearch(text, substring);
  return text.includes(substring);
}

function indexOf(text: string, substring: string, from = 0n): bigint {
  if (substring === '') return from;
  if (from < 0n) throw outOfRange(from);
  spendOnSearch(text, substring);
  const all = characters(text);
  if (from >= BigInt(all.length)) return -1n;
  return positionOf(text, text.indexOf(substring, offsetOf(all, Number(from))));
}

function lastIndexOf(text: string, substring: string, from?: bigint): bigint {
  spendOnSearch(text, substring);
  const all = characters(text);
  const size = BigInt(all.length);
  if (substring === '') return from ?? size;
  if (from === undefined) return positionOf(text, text.lastIndexOf(substring));
  if (from < 0n) throw outOfRange(from);
  if (from >= size) return -1n;
  return positionOf(text, text.lastIndexOf(substring, offsetOf(all, Number(from))));
}

/** The UTF-16 offset of a character. */
function offsetOf(all: ArrayLike<string>, position: number): number {
  if (typeof all === 'string') return position;
  let unit = 0;
  for (let index = 0; index < position; index++) unit += all[index]!.length;
  return unit;
}

function positionOf(text: string, unit: number): bigint {
  return BigInt(unit < 0 ? -1 : characters(text.slice(0, unit)).length);
}

function split(text: string, separator: string, limit = -1n): ListValue {
  if (limit === 0n) return new ListValue([]);
  spendOnSearch(text, separator);
  spendOnPieces(text, separator);
  const pieces = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || BigInt(pieces.length) <= limit) return new ListValue(pieces);
  const kept = Number(limit) - 1;
  return new ListValue([...pieces.slice(0, kept), pieces.slice(kept).join(separator)]);
}

function join(list: ListValue, separator = ''): string {
  let length = 0;
  const texts = list.toArray();
  for (const text of texts) {
    if (typeof text !== 'string') throw new CelError(`join: invalid input: ${shownText(text)}`);
    length += text.length + separator.length;
  }
  spend(length / 10);
  return texts.join(separator);
}

function replace(text: string, from: string, { to, limit }: { readonly to: string; readonly limit: bigint }): string {
  spendOnSearch(text, from);
  spendOnPieces(text, from);
  const pieces = from === '' ? ['', ...Array.from(text), ''] : text.split(from);
  const count = limit < 0n || limit >= BigInt(pieces.length) ? pieces.length - 1 : Number(limit);
  spend((pieces.length + text.length + count * to.length) / 10);
  return [pieces.slice(0, count + 1).join(to), ...pieces.slice(count + 1)].join(from);
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Escapes the characters for which CEL has a short form, and no others. */
function quote(text: string): string {
  return `"${text.replace(/[\x07-\r"\\]/g, (character) => escapes[character]!)}"`;
}

/** The longest and shortest text that a replacement can make. */
function replacedSize({ target, args }: EstimatedCall): Range {
  const [text, from, to] = [target!.size, args[0]!.size, args[1]!.size];
  const count = { min: 0, max: 0 };
  const kept = { min: 0, max: 0 };
  if (from.min === 0) {
    count.max = text.max + 1;
    kept.max = text.max;
  } else if (to.max <= from.min) kept.max = text.max;
  else count.max = Math.ceil(text.max / from.min);
  if (from.max === 0) {
    count.min = text.min + 1;
    kept.min = text.min;
  } else if (from.max <= to.min) kept.min = text.min;
  else count.min = Math.ceil(text.min / from.max);
  return plus(times(count, to), kept);
}

/** At worst every character becomes an item. */
function splitSize({ target, args }: EstimatedCall): Range {
  const limit = args[1]?.literal;
  return { min: 0, max: typeof limit === 'bigint' ? Number(BigInt.asUintN(64, limit)) : target!.size.max };
}

const joinCost: CallCost = {
  actual: ([list, separator = '']) => {
    const { length } = list as ListValue;
    let size = Math.max(length - 1, 0) * sizeOf(separator);
    for (const item of list as ListValue) size += sizeOf(item);
    return traversal(size, 2);
  },
  estimate: ({ target, args, itemsOf }) => {
    const list = target!.size;
    const items = itemsOf(target!);
    let size: Range = items === undefined ? { min: 0, max: 0 } : times(list, items.size);
    if (args[0] !== undefined) {
      const separators = { min: Math.max(list.min - 1, 0), max: Math.max(list.max - 1, 0) };
      size = plus(size, times(args[0].size, separators));
    }
    return { cost: scaled(size, perCharacter), size };
  },
};

/** The whole target is read at run time, but only as much as the argument has is estimated. */
const prefixCost: CallCost = {
  actual: ([text]) => traversal(sizeOf(text)),
  estimate: ({ args }) => ({ cost: scaled(args[0]!.size, perCharacter) }),
};
const containsCost: CallCost = {
  actual: ([text, substring]) => traversal(sizeOf(text)) * traversal(sizeOf(substring)),
  estimate: ({ target, args }) => ({
    cost: times(scaled(target!.size, perCharacter), scaled(args[0]!.size, perCharacter)),
  }),
};
const quoteCost: CallCost = {
  actual: ([text]) => traversal(sizeOf(text)),
  estimate: ({ args }) => {
    const { min, max } = args[0]!.size;
    return { cost: scaled(args[0]!.size, perCharacter), size: { min: min + 2, max: max * 2 + 2 } };
  },
};
const formatCost: CallCost = {
  actual: ([text]) => traversal(sizeOf(text)),
  estimate: ({ target }) => ({ cost: scaled(target!.size, perCharacter) }),
};

const text = { cost: textCost };

/** The string functions of Kubernetes. Positions count characters, not UTF-16 code units. */
export const strings: readonly Overload[] = [
  defineFunction(
    'startsWith',
    { 'string.(string): bool': (a: string, b: string) => a.startsWith(b) },
    { cost: prefixCost },
  ),
  defineFunction(
    'endsWith',
    { 'string.(string): bool': (a: string, b: string) => a.endsWith(b) },
    { cost: prefixCost },
  ),
  defineFunction('contains', { 'string.(string): bool': contains }, { cost: containsCost }),
  defineFunction('charAt', { 'string.(int): string': charAt }),
  defineFunction(
    'indexOf',
    { 'string.(string): int': (a: string, b: string) => indexOf(a, b), 'string.(string, int): int': indexOf },
    { cost: readAllCost },
  ),
  defineFunction(
    'lastIndexOf',
    { 'string.(string): int': (a: string, b: string) => lastIndexOf(a, b), 'string.(string, int): int': lastIndexOf },
    { cost: readAllCost },
  ),
  defineFunction(
    'lowerAscii',
    {
      'string.(): string': (value: string) =>
        ascii.test(value) ? value.toLowerCase() : value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    },
    text,
  ),
  defineFunction(
    'upperAscii',
    {
      'string.(): string': (value: string) =>
        ascii.test(value) ? value.toUpperCase() : value.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
    },
    text,
  ),
  defineFunction(
    'substring',
    {
      'string.(int): string': (value: string, start: bigint) => substring(value, start),
      'string.(int, int): string': substring,
    },
    text,
  ),
  defineFunction(
    'trim',
    { 'string.(): string': (value: string) => value.replace(leadingSpace, '').replace(trailingSpace, '') },
    text,
  ),
  defineFunction(
    'replace',
    {
      'string.(string, string): string': (value: string, from: string, to: string) =>
        replace(value, from, { to, limit: -1n }),
      'string.(string, string, int): string': (value: string, from: string, to: string, limit: bigint) =>
        replace(value, from, { to, limit }),
    },
    { cost: copyCost(replacedSize) },
  ),
  defineFunction(
    'split',
    {
      'string.(string): list(string)': (value: string, separator: string) => split(value, separator),
      'string.(string, int): list(string)': split,
    },
    { cost: copyCost(splitSize) },
  ),
  defineFunction(
    'join',
    { 'list(string).(): string': (list: ListValue) => join(list), 'list(string).(string): string': join },
    { cost: joinCost },
  ),
  defineFunction('strings.quote', { '(string): string': quote }, { cost: quoteCost }),
  defineFunction('format', { 'string.(list(dyn)): string': format }, { cost: formatCost }),
].flat();
