import type { Environment } from '@marcbachmann/cel-js';
import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { spend, spendOnSearch } from '../work.ts';
import { defineFunctions, defineNamespace } from './define-functions.ts';
import { privatePrefix as own } from './replaced-functions.ts';

const ascii = /^[\x00-\x7f]*$/;
/** White space as defined by Unicode, which differs from that of JavaScript's `trim`. */
const space = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leadingSpace = new RegExp(`^${space}+`);
const trailingSpace = new RegExp(`(?<!${space})${space}+$`);

/** The string functions of Kubernetes. Positions count characters, not UTF-16 code units. */
export function registerStrings(environment: Environment): void {
  defineFunctions(environment, {
    [`string.${own}charAt(int): string`]: charAt,
    [`string.${own}contains(string): bool`]: contains,
    [`string.${own}indexOf(string): int`]: (text: string, part: string) => indexOf(text, part, 0n),
    [`string.${own}indexOf(string, int): int`]: indexOf,
    [`string.${own}lastIndexOf(string): int`]: (text: string, part: string) => lastIndexOf(text, part),
    [`string.${own}lastIndexOf(string, int): int`]: lastIndexOf,
    [`string.${own}lowerAscii(): string`]: (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
    [`string.${own}upperAscii(): string`]: (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
    [`string.${own}split(string): list<string>`]: (text: string, separator: string) => split(text, separator, -1n),
    [`string.${own}split(string, int): list<string>`]: split,
    [`string.${own}substring(int): string`]: (text: string, start: bigint) => substring(text, start),
    [`string.${own}substring(int, int): string`]: substring,
    [`string.${own}trim(): string`]: (text: string) => text.replace(leadingSpace, '').replace(trailingSpace, ''),
    [`list<string>.${own}join(): string`]: (texts: readonly string[]) => join(texts, ''),
    [`list<string>.${own}join(string): string`]: join,
    'string.replace(string, string): string': (text: string, from: string, to: string) => replace(text, from, to, -1n),
    'string.replace(string, string, int): string': replace,
  });
  defineNamespace(environment, 'strings', { 'quote(string): string': goQuote });
}

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
  if (start < 0n || start > size) throw outOfRange(start);
  if (until < 0n || until > size) throw outOfRange(until);
  if (start > until) throw new CelError(`invalid substring range. start: ${start}, end: ${until}`);
  const [from, to] = [Number(start), Number(until)];
  return typeof all === 'string' ? all.slice(from, to) : Array.from(all).slice(from, to).join('');
}

function contains(text: string, part: string): boolean {
  spendOnSearch(text, part);
  return text.includes(part);
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  spendOnSearch(text, part);
  const all = characters(text);
  if (from < 0n || (from > 0n && from >= BigInt(all.length))) throw outOfRange(from);
  return positionOf(text, text.indexOf(part, offsetOf(all, Number(from))));
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  spendOnSearch(text, part);
  const all = characters(text);
  const size = BigInt(all.length);
  if (part === '') return from ?? size;
  if (from === undefined) return positionOf(text, text.lastIndexOf(part));
  if (from < 0n || from >= size) throw outOfRange(from);
  return positionOf(text, text.lastIndexOf(part, offsetOf(all, Number(from))));
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

function split(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  spendOnSearch(text, separator);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  spend(parts.length);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function join(texts: readonly unknown[], separator: string): string {
  let length = 0;
  for (const text of texts) {
    if (typeof text !== 'string') throw new CelError('no such overload');
    length += text.length + separator.length;
  }
  spend(length / 10);
  return texts.join(separator);
}

function replace(text: string, from: string, to: string, limit: bigint): string {
  spendOnSearch(text, from);
  const pieces = from === '' ? ['', ...Array.from(text), ''] : text.split(from);
  const count = limit < 0n || limit >= BigInt(pieces.length) ? pieces.length - 1 : Number(limit);
  spend(pieces.length + (text.length + count * to.length) / 10);
  return [pieces.slice(0, count + 1).join(to), ...pieces.slice(count + 1)].join(from);
}
