import { DecodeError } from '../../meta/decode-error.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import { CborContentError } from './cbor-content-error.ts';
import { ItemDecoder } from './item-decoder.ts';
import type { CborTypeName } from './major-types.ts';

export interface DecodedCbor {
  /** What the same item is in JSON. Integers that only an int64 holds exactly are bigints. */
  readonly value: unknown;
  /** Tells floats from integers: an integer that was sent as a float is noted as `1.0`. There are no repeated keys. */
  readonly source: JsonSource | undefined;
  /** What the item is, below its tags. */
  readonly type: CborTypeName;
  /** The elements of the outermost map that are not in the value because their keys are integers. */
  readonly integerKeys: readonly number[];
  /** The keys on the wire, for the objects that do not have them in that order; undefined stands for an integer. */
  readonly keyOrders: ReadonlyMap<object, readonly (string | undefined)[]>;
}

const noDuplicates: JsonSource['duplicateKeys'] = new Map();
const nothingSuperseded: JsonSource['superseded'] = new Map();

/**
 * Reads a body that is one data item. Throws `DecodeError` in the words of the library that Kubernetes uses: for bytes
 * that are not well-formed, then for the outermost keys, and then, as a `CborContentError`, for whatever else is refused.
 */
export function decodeCbor(bytes: Buffer): DecodedCbor {
  if (bytes.length === 0) throw new DecodeError('EOF');
  const decoder = new ItemDecoder(bytes);
  const value = decoder.decode();
  const { refusals, numberTexts, integerKeys, keyOrders } = decoder;
  const end = decoder.reader.at;
  if (end < bytes.length) {
    throw new DecodeError(`cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`);
  }
  if (refusals.first !== undefined) throw new DecodeError(refusals.first);
  if (refusals.firstInside !== undefined) throw new CborContentError(refusals.firstInside, value);
  const source =
    numberTexts.size === 0 ? undefined : { duplicateKeys: noDuplicates, superseded: nothingSuperseded, numberTexts };
  return { value, source, type: decoder.type!, integerKeys, keyOrders };
}

/** Which element of its map a key is: the only name that Kubernetes gives an unknown field. */
export function mapElementIndex({ keyOrders }: DecodedCbor, object: object, key: string): number {
  return (keyOrders.get(object) ?? Object.keys(object)).indexOf(key);
}
