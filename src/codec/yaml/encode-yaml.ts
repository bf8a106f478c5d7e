import { DecodeError } from '../../meta/decode-error.ts';
import { goFloat } from '../../meta/go-number.ts';
import { encodeJson } from '../json/index.ts';
import { compareNaturally } from './natural-order.ts';
import { scalarStyle, separator } from './scalar-style.ts';
import { writeOnLine, writeScalar } from './write-scalar.ts';

/** In bytes. Longer keys are written as explicit keys, after a question mark. */
const maxKeyLength = 128;
/** The capacity of the cache of encoded keys. */
const maxKnownKeys = 4096;
const maxKnownKeyLength = 64;
/**
 * Values that are indented further are written as JSON, which is valid YAML, on one line. Otherwise the size of the
 * indentation would grow with the square of the depth.
 */
const widestMargin = 128;

/** Encodes a value as Go's library does. Omits what JSON omits. Throws `DecodeError` if the value is too deep. */
export function encodeYaml(value: unknown): string {
  return guard(() => {
    if (!isFull(value)) return `${scalar(value, 0, 2)}\n`;
    return Array.isArray(value) ? items(value, '') : entries(value, '');
  });
}

/** Encodes elements of a list that is the value of a top-level key. */
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

/** Returns whether a value is a non-empty list or object, which is written on separate lines. */
function isFull(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  for (const key in value) if ((value as Record<string, unknown>)[key] !== undefined) return true;
  return false;
}

/** Every line has the margin, also the first. */
function items(list: readonly unknown[], margin: string): string {
  let text = '';
  for (const item of list) text += `${margin}- ${inside(item, margin)}`;
  return text;
}

/** Encodes the value after a dash or after the colon of an explicit key. Its first line continues that line. */
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

/** Encodes the value after a simple key and its colon. */
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

/** In Go the number passes through JSON, so that integers that fit into 64 bits are written without an exponent. */
function number(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  if (Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63)) return String(value);
  return goFloat(value);
}

function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let at = 1; at < keys.length; at++) {
    if (compareNaturally(keys[at - 1]!, keys[at]!) > 0) return keys.sort(compareNaturally);
  }
  return keys;
}

const knownKeys = new Map<string, string>();

/** Returns a key with its colon, or undefined if it must be written as an explicit key, after a question mark. */
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
