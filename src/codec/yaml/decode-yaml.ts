import { isAscii, isUtf8 } from 'node:buffer';
import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { inTurns, runSync, type Steps } from '../../meta/turns.ts';
import { requestBounds } from '../document-bounds.ts';
import { decodeJson } from '../json/index.ts';
import { buildValue } from './build-value.ts';
import { parseYaml } from './parse-yaml.ts';
import { sortKeys } from './sort-keys.ts';

const openBrace = 0x7b;
const deleteCharacter = 0x7f;
const byteOrderMark = Buffer.from('\ufeff');
const nothing = new Map<object, never>();
/** Any byte that is not a printable character of ASCII or white space. */
const unprintable = /[^\t\n\r\x20-\x7e]/;
/** Any character that a document must not contain. */
const forbidden = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

export interface DecodedYaml {
  readonly value: unknown;
  /** Messages such as `line 5: key "a" already set in map`, in document order. */
  readonly duplicates: readonly string[];
  /** Holds only the earlier values of duplicate keys. Conversion to JSON does not preserve the text of numbers. */
  readonly source: JsonSource | undefined;
}

/**
 * Decodes the document of a body to a JSON value, as Kubernetes does: scalars are resolved by the rules of YAML 1.1,
 * keys become strings and are sorted, and the last of several duplicate keys wins. An empty body is null. Throws
 * `DecodeError` with the message of Go's library. Also throws it for a second document, which Kubernetes ignores.
 */
export function decodeYaml(bytes: Buffer): DecodedYaml {
  return runSync(decodeSteps(bytes));
}

export interface DecodeYamlOptions {
  /** False if the keys of a JSON document may stay in their order, which is faster. True by default. */
  readonly sortsKeys?: boolean;
}

/** Like `decodeYaml`, but yields to the event loop while it decodes a large body. */
export function decodeYamlInTurns(bytes: Buffer, options: DecodeYamlOptions = {}): MaybePromise<DecodedYaml> {
  return inTurns(decodeSteps(bytes, options));
}

function* decodeSteps(bytes: Buffer, { sortsKeys = true }: DecodeYamlOptions = {}): Steps<DecodedYaml> {
  const isJsonLike = bytes[0] === openBrace;
  // JSON itself excludes all other characters that a document must not contain.
  const isChecked = isJsonLike && isAscii(bytes) && !bytes.includes(deleteCharacter);
  let text = isChecked ? undefined : textOf(bytes);
  if (isJsonLike) {
    yield;
    const decoded = decodeAsJson(bytes);
    yield;
    if (decoded !== undefined) return sortsKeys ? { ...decoded, value: sortKeys(decoded.value) } : decoded;
  }
  text ??= textOf(bytes);
  yield;
  const { value, duplicates, superseded } = yield* buildValue(yield* parseYaml(`${text}\0`));
  const source = superseded && { duplicateKeys: nothing, superseded, numberTexts: nothing };
  return { value, duplicates, source };
}

function textOf(bytes: Buffer): string {
  const ascii = bytes.toString('latin1');
  // Faster than the search in all of Unicode.
  return unprintable.test(ascii) ? checkedText(bytes) : ascii;
}

/** Decodes UTF-8 that must not contain control characters, and drops a byte order mark. */
function checkedText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new DecodeError(`yaml: ${utf8Problem(bytes)}`);
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const text = (isMarked ? bytes.subarray(byteOrderMark.length) : bytes).toString();
  if (forbidden.test(text)) throw new DecodeError('yaml: control characters are not allowed');
  return text;
}

/** Most clients apply JSON, which is valid YAML. Returns undefined if YAML may interpret the document differently. */
function decodeAsJson(bytes: Buffer): DecodedYaml | undefined {
  try {
    const { value, duplicates, source } = decodeJson(bytes, requestBounds);
    return source === undefined ? { value, duplicates, source } : undefined;
  } catch (error) {
    if (error instanceof DecodeError && !(error instanceof BoundsError)) return undefined;
    throw error;
  }
}

function utf8Problem(bytes: Buffer): string {
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    const width = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if ((first >= 0x80 && first < 0xc0) || first >= 0xf8) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    const rest = bytes.subarray(at + 1, at + width);
    if (rest.some((octet) => (octet & 0xc0) !== 0x80)) return 'invalid trailing UTF-8 octet';
    if (!isUtf8(bytes.subarray(at, at + width))) {
      const isSurrogate = first === 0xed && bytes[at + 1]! >= 0xa0;
      const isTooLarge = first > 0xf4 || (first === 0xf4 && bytes[at + 1]! >= 0x90);
      return isSurrogate || isTooLarge ? 'invalid Unicode character' : 'invalid length of a UTF-8 sequence';
    }
    at += width;
  }
  return 'invalid Unicode character';
}
