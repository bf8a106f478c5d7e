import type { StructSchema } from '../../schema/model.ts';

/** A list without its items. */
export interface OpenList {
  readonly value: object;
  /** The name of the field that holds the items. */
  readonly field: string;
  readonly count: number;
  /** The schema of the list. */
  readonly schema: StructSchema;
}

/** The bytes around the items of one list. */
export interface ListFrame {
  /**
   * Whether `head` needs the total size of the items, including the bytes before each item. These are then the same
   * for the first item and the others.
   */
  readonly needsSize: boolean;
  head(itemsSize: number): Buffer;
  /** Returns the bytes that precede the first item. `itemLength` is the length of this item. */
  beforeFirst(itemLength: number): Buffer;
  /** Returns the bytes that precede any other item. `itemLength` is the length of this item. */
  beforeNext(itemLength: number): Buffer;
  readonly tail: Buffer;
}

/**
 * Writes values in one encoding. The schema describes the values; self-describing encodings may ignore it. Throws
 * `DecodeError` when a value is nested too deeply, because such a value came from a client.
 */
export interface Encoder {
  /** Whether the encoding is binary rather than text. The result is bytes in either case. */
  readonly isBinary: boolean;
  /** Encodes a complete response. */
  encode(value: object, schema: StructSchema | undefined): Buffer;
  /** Encodes a list element. */
  item(value: object, schema: StructSchema | undefined): Buffer;
  /** Set when a complete response is an encoded list element inside an envelope. */
  readonly wrap?: (item: Buffer, type: { readonly kind: string; readonly apiVersion: string }) => Buffer;
  /** Starts a list that is written item by item. */
  openList(list: OpenList): ListFrame;
  /** Encodes one event of a stream. `object` holds the bytes that `encode` returned for the object. */
  frame(type: string, object: Buffer): Buffer;
  /** Encodes the same event for a protocol that does its own framing. */
  message(type: string, object: Buffer): Buffer;
}

export const emptyBytes = Buffer.alloc(0);
