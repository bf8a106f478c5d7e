import { isJsonObject } from '../../meta/json-object.ts';

const escapedByGo = /[<>&\u2028\u2029]/;
const allEscapedByGo = new RegExp(escapedByGo, 'g');

/**
 * Serializes JSON as Go does for maps: keys are sorted, and characters that browsers may treat as markup are escaped.
 */
export function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${goText(key)}:${goJson(value[key])}`)
      .join(',')}}`;
  }
  if (typeof value === 'string') return goText(value);
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Matches a number that may not be exact as a number of JavaScript. */
const long = /\d{16}/;

/** Parses JSON. Integers that are exact as an int64 but not as a number become bigints. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  return long.test(text) ? JSON.parse(text, exactInteger as () => unknown) : JSON.parse(text);
}

function exactInteger(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(source!)) return value;
  const exact = BigInt(source!);
  return BigInt.asIntN(64, exact) === exact ? exact : value;
}

/** Matches texts that need no escapes. */
const plain = /^[\w ./:@-]*$/;

function goText(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  const json = JSON.stringify(text);
  return escapedByGo.test(json) ? json.replaceAll(allEscapedByGo, unicodeEscape) : json;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
