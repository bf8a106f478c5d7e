import { DecodeError } from '../../meta/decode-error.ts';
import { encodeJson } from '../json/index.ts';
import { formatFloat } from './format-float.ts';
import { compareNaturally } from './natural-order.ts';
import { scalarStyle, separator } from './scalar-style.ts';
import { writeOnLine, writeScalar } from './write-scalar.ts';

/** In bytes. Longer keys stand behind a question mark. */
const maxKeyLength = 128;
/** How many keys are kept as they are written. */
const maxKnownKeys = 4096;
const maxKnownKeyLength = 64;
/**
 * A value that is nested deeper is written as JSON, which is YAML, on one line: the blanks of a very deep document would
 * have no end.
 */
const widestMargin = 128;

/** A value as Go's library writes it. What JSON leaves out is left out. A value that is too deep is a `DecodeError`. */
export function encodeYaml(value: unknown): string {
  return guard(() => {
    if (!isFull(value)) return `${scalar(value, 0, 2)}\n`;
    return Array.isArray(value) ? items(value, '') : entries(value, '');
  });
}

/** Elements of a list at the top of a document, as they stand below their key. */
export function encodeYamlItems(values: readonly unknown[]): string {
  return guard(() => items(values, ''));
}

function guard(encode: () => string): string {
  try {
    return encode();
  } catch (error) {
    const isTooDeep = error instanceof RangeError && /call stack/.test(error.message);
    throw isTooDeep ? new DecodeError('exceeded max depth', { cause: error }) : error;
  }
}

/** A list or an object with something in it, which takes lines of its own. */
function isFull(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  for (const key in value) if ((value as Record<string, unknown>)[key] !== undefined) return true;
  return false;
}

/** The lines of a list. The first one has its margin already when the list begins in the midst of a line. */
function items(list: readonly unknown[], margin: string): string {
  let text = '';
  for (const item of list) text += `${margin}- ${inside(item, margin)}`;
  return text;
}

/** What stands behind a dash or the colon of a long key: the first line of it is on the same line. */
function inside(value: unknown, margin: string): string {
  if (!isFull(value)) return endLine(scalar(value, margin.length + 2, margin.length + 2));
  if (margin.length >= widestMargin) return endLine(encodeJson(value));
  const deeper = `${margin}  `;
  const lines = Array.isArray(value) ? items(value, deeper) : entries(value, deeper);
  return lines.slice(deeper.length);
}

function entries(object: object, margin: string): string {
  let text = '';
  for (const key of sortedKeys(object)) {
    const value = (object as Record<string, unknown>)[key];
    if (value === undefined) continue;
    const name = simpleKey(key);
    text += name === undefined ? longEntry(key, value, margin) : `${margin}${name}${below(value, name, margin)}`;
  }
  return text;
}

/** What stands behind a key with its colon. */
function below(value: unknown, name: string, margin: string): string {
  if (isFull(value)) {
    if (margin.length >= widestMargin) return ` ${endLine(encodeJson(value))}`;
    // The dashes of a list are not indented below its key.
    return `\n${Array.isArray(value) ? items(value, margin) : entries(value, `${margin}  `)}`;
  }
  return ` ${endLine(scalar(value, margin.length + name.length + 1, margin.length + 2))}`;
}

function longEntry(key: string, value: unknown, margin: string): string {
  const indent = margin.length + 2;
  return `${margin}? ${endLine(writeScalar(key, indent, indent))}${margin}: ${inside(value, margin)}`;
}

const endLine = (text: string): string => `${text}\n`;

function scalar(value: unknown, column: number, indent: number): string {
  switch (typeof value) {
    case 'string':
      return writeScalar(value, column, indent);
    case 'number':
      return number(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null || value === undefined) return 'null';
      return Array.isArray(value) ? '[]' : '{}';
  }
}

/** A number goes through JSON, where whole numbers have no exponent below 1e21; of those, 64 bits hold the smaller. */
function number(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  if (Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63)) return String(value);
  return formatFloat(value);
}

function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let at = 1; at < keys.length; at++) {
    if (compareNaturally(keys[at - 1]!, keys[at]!) > 0) return keys.sort(compareNaturally);
  }
  return keys;
}

const knownKeys = new Map<string, string>();

/** A key with its colon; undefined when it has to stand behind a question mark. */
function simpleKey(key: string): string | undefined {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const style = scalarStyle(key);
  const isLong = key.includes('\n') || separator.test(key) || Buffer.byteLength(key) > maxKeyLength;
  if (isLong || style === 'literal') return undefined;
  const written = `${writeOnLine(key, style)}:`;
  if (key.length <= maxKnownKeyLength) {
    if (knownKeys.size >= maxKnownKeys) knownKeys.clear();
    knownKeys.set(key, written);
  }
  return written;
}
