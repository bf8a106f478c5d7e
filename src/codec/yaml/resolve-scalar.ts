import { DecodeError } from '../../meta/decode-error.ts';

/** The value of a scalar. Callers must reject NaN and infinite numbers. */
export type Scalar = string | number | bigint | boolean | null;

const caseSpellings = (word: string): string[] => [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()];

const words = new Map<string, boolean | number | null>([
  ...['y', 'yes', 'true', 'on'].flatMap(caseSpellings).map((word) => [word, true] as const),
  ...['n', 'no', 'false', 'off'].flatMap(caseSpellings).map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['', '+'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => [sign + word, Infinity] as const)),
  ...['.inf', '.Inf', '.INF'].map((word) => [`-${word}`, -Infinity] as const),
]);
const maxWordLength = Math.max(...[...words.keys()].map((word) => word.length));
/** Indexed by first character: whether the text may be other than a string. Most texts take this fast path. */
const mayBeMore = new Uint8Array(128);
for (const character of 'yYnNtTfFoO~+-.0123456789') mayBeMore[character.charCodeAt(0)] = 1;
const firstLetter = 0x41;
const zero = 0x30;
const integer = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
/** A quirk of Go's library, which accepts a sign after `0b`. Strings of this form must be quoted. */
const signedBinary = /^0b([-+])([01]+)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const safeDigits = 15;
/** Longer than any 64-bit integer, apart from leading zeros. */
const maxDigits = 100;
const int64Bound = 2n ** 63n;
const uint64Bound = 2n ** 64n;
const longTag = 'tag:yaml.org,2002:';

/** Resolves a scalar without quotes and without a tag. */
export function resolvePlain(text: string): Scalar {
  const value = scalarValue(text);
  return value === undefined ? text : value;
}

/** Returns whether a string would be read as another type if it were written without quotes. */
export function isResolved(text: string): boolean {
  return scalarValue(text) !== undefined || isTimestamp(text);
}

/** Resolves a scalar with a tag. A scalar with an unknown tag is a string. */
export function resolveTagged(text: string, tag: string): Scalar {
  switch (tag) {
    case `${longTag}binary`:
      return decodeBinary(text);
    case `${longTag}timestamp`:
      if (!isTimestamp(text)) throw cannotDecode(text, typeName(text) ?? '!!str', tag);
      return text;
    case `${longTag}null`:
    case `${longTag}bool`:
    case `${longTag}int`:
    case `${longTag}float`: {
      const value = scalarValue(text);
      const name = typeName(text) ?? (isTimestamp(text) ? '!!timestamp' : '!!str');
      const isSame = name === shortTag(tag) || (name === '!!int' && tag === `${longTag}float`);
      if (value === undefined || !isSame) throw cannotDecode(text, name, tag);
      return value;
    }
    default:
      return text;
  }
}

/** Returns undefined if the text is a string. */
function scalarValue(text: string): Exclude<Scalar, string> | undefined {
  if (text === '') return null;
  const first = text.charCodeAt(0);
  if (first >= mayBeMore.length || mayBeMore[first] === 0) return undefined;
  if (text.length <= maxWordLength) {
    const value = words.get(text);
    if (value !== undefined) return value;
  }
  return first < firstLetter ? numberOf(text) : undefined;
}

function typeName(text: string): string | undefined {
  const value = scalarValue(text);
  if (value === undefined) return undefined;
  if (value === null) return '!!null';
  if (typeof value === 'boolean') return '!!bool';
  return integerOf(withoutUnderscores(text)) === undefined ? '!!float' : '!!int';
}

function numberOf(text: string): number | bigint | undefined {
  const short = shortInteger(text);
  if (short !== undefined) return short;
  const plain = withoutUnderscores(text);
  const integerValue = integerOf(plain);
  if (integerValue !== undefined) return integerValue;
  if (!float.test(plain)) return undefined;
  const number = Number(plain);
  return Number.isFinite(number) ? exactly(number) : undefined;
}

/** Fast path for short decimal integers without a sign. */
function shortInteger(text: string): number | undefined {
  if (text.length > safeDigits || (text.length > 1 && text.charCodeAt(0) === zero)) return undefined;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

function withoutUnderscores(text: string): string {
  return text.startsWith('.') || !text.includes('_') ? text : text.replaceAll('_', '');
}

function integerOf(text: string): number | bigint | undefined {
  const binary = text.startsWith('0b') ? signedBinary.exec(text) : null;
  const found = binary === null ? integer.exec(text) : ['', binary[1]!, `0b${binary[2]!}`];
  if (found === null) return undefined;
  const sign = found[1]!;
  const digits = found[2]!;
  if (digits.length > maxDigits) return undefined;
  const isOctal = /^0[0-7]/.test(digits);
  if (digits.length <= safeDigits && !isOctal) return sign === '-' ? 0 - Number(digits) : Number(digits);
  const size = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -size : size;
  if (value < -int64Bound || value >= (sign === '' ? uint64Bound : int64Bound)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** An integer that is written as a float passes through JSON as digits, and so becomes an int64 if it fits. */
function exactly(value: number): number | bigint {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21) return value;
  const exact = BigInt(String(value));
  return exact >= -int64Bound && exact < int64Bound ? exact : value;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBinary(text: string): string {
  const digits = text.replace(/[\r\n]/g, '');
  if (digits.length % 4 !== 0 || !base64.test(digits)) {
    throw new DecodeError('yaml: !!binary value contains invalid base64 data');
  }
  return Buffer.from(digits, 'base64').toString();
}

const shortTag = (tag: string): string => (tag.startsWith(longTag) ? `!!${tag.slice(longTag.length)}` : tag);

function cannotDecode(text: string, from: string, to: string): DecodeError {
  return new DecodeError(`yaml: cannot decode ${from} \`${text}\` as a ${shortTag(to)}`);
}

const timestampPattern =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/** Returns whether a text is a YAML timestamp. Dates that do not exist in the calendar are not timestamps. */
function isTimestamp(text: string): boolean {
  const match = timestampPattern.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, ...time] = match.slice(1).map((group) => Number(group ?? 0));
  const [hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0, bareHour = 0, bareMinute = 0, bareSecond = 0] =
    time;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (zoneHour > 24 || zoneMinute > 60) return false;
  return Math.max(hour, bareHour) < 24 && Math.max(minute, bareMinute, second, bareSecond) < 60;
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
