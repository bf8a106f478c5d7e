import { isUtf8 } from 'node:buffer';
import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { atOnce, inTurns, type Steps } from '../../meta/turns.ts';
import { requestBounds } from '../document-bounds.ts';
import { decodeJson } from '../json/index.ts';
import { buildValue } from './build-value.ts';
import { parseYaml } from './parse-yaml.ts';
import { sortKeys } from './sort-keys.ts';

const openBrace = 0x7b;
const byteOrderMark = Buffer.from('\ufeff');
const nul = Buffer.of(0);
const nothing = new Map<object, never>();
/** All but the characters that may stand in a document. */
const forbidden = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

export interface DecodedYaml {
  readonly value: unknown;
  /** Such as `line 5: key "a" already set in map`, in order. */
  readonly duplicates: readonly string[];
  /** Earlier values of repeated keys only: numbers are read as the JSON that the document stands for would print them. */
  readonly source: JsonSource | undefined;
}

/**
 * The document of a body as a JSON value, read as Kubernetes does: the scalars are those of YAML 1.1, keys become texts
 * and stand in order, of repeated keys the last one wins. No document at all is null. Throws `DecodeError` with the
 * words of Go's library, and for a second document, which Kubernetes drops.
 */
export function decodeYaml(bytes: Buffer): DecodedYaml {
  return atOnce(decodeSteps(bytes));
}

/** The same, in as many turns of the event loop as a large body needs. */
export function decodeYamlInTurns(bytes: Buffer): MaybePromise<DecodedYaml> {
  return inTurns(decodeSteps(bytes));
}

function* decodeSteps(bytes: Buffer): Steps<DecodedYaml> {
  if (!isUtf8(bytes)) throw new DecodeError(`yaml: ${utf8Problem(bytes)}`);
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const text = Buffer.concat([isMarked ? bytes.subarray(byteOrderMark.length) : bytes, nul]).toString();
  // The last character is the first that may not stand in a document.
  if (text.search(forbidden) !== text.length - 1) throw new DecodeError('yaml: control characters are not allowed');
  if (bytes[0] === openBrace) {
    const decoded = decodeAsJson(bytes);
    if (decoded !== undefined) return decoded;
  }
  yield;
  const { value, duplicates, superseded } = yield* buildValue(yield* parseYaml(text));
  const source = superseded && { duplicateKeys: nothing, superseded, numberTexts: nothing };
  return { value, duplicates, source };
}

/** Most clients apply JSON, which is YAML, too. Undefined when the two may not mean the same. */
function decodeAsJson(bytes: Buffer): DecodedYaml | undefined {
  try {
    const { value, duplicates, source } = decodeJson(bytes, requestBounds);
    return source === undefined ? { value: sortKeys(value), duplicates, source } : undefined;
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
