import { DecodeError } from '../../meta/decode-error.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import { CborContentError } from './cbor-content-error.ts';
import { ItemDecoder } from './item-decoder.ts';
import type { CborTypeName } from './major-types.ts';

export interface DecodedCbor {
  /** The value that the item has in JSON. Integers that only an int64 holds exactly are bigints. */
  readonly value: unknown;
  /** Distinguishes floats from integers: an integer sent as a float is recorded as `1.0`. Has no duplicate keys. */
  readonly source: JsonSource | undefined;
  /** The type of the item, ignoring its tags. */
  readonly type: CborTypeName;
  /** The indexes of the outermost map's elements that `value` omits because their keys are integers. */
  readonly integerKeys: readonly number[];
  /** The order of keys on the wire, for objects that do not preserve it. Undefined represents an integer key. */
  readonly keyOrders: ReadonlyMap<object, readonly (string | undefined)[]>;
}

const noDuplicates: JsonSource['duplicateKeys'] = new Map();
const nothingSuperseded: JsonSource['superseded'] = new Map();

/**
 * Decodes a body that consists of one data item. Throws `DecodeError` with the messages of the CBOR library that
 * Kubernetes uses. Malformed bytes are reported first, then problems with the outermost keys. Everything else that is
 * refused is thrown as a `CborContentError`.
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

/** Returns the index of a key in its map. Kubernetes identifies an unknown field by this index only. */
export function mapElementIndex({ keyOrders }: DecodedCbor, object: object, key: string): number {
  return (keyOrders.get(object) ?? Object.keys(object)).indexOf(key);
}
