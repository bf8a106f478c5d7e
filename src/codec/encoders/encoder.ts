import type { StructSchema } from '../../schema/model.ts';

/** A list without its items. */
export interface OpenList {
  readonly value: object;
  /** The name of the field that holds the items. */
  readonly field: string;
  readonly count: number;
  /** Of the list. */
  readonly schema: StructSchema;
}

/** What stands around the items of one list. */
export interface ListFrame {
  /** Set when `head` has to be told what the items weigh together, each with what stands before it. */
  readonly needsSize: boolean;
  head(itemsSize: number): Buffer;
  /** What stands before an item of this length. */
  before(itemLength: number, isFirst: boolean): Buffer;
  readonly tail: Buffer;
}

/**
 * Writes values in one encoding. The schema says what the values are; encodings that say it themselves do without. A value
 * that is nested too deep is a `DecodeError`: it came from a client.
 */
export interface Encoder {
  /** Text is not a matter of this interface: even then the result is bytes. */
  readonly isBinary: boolean;
  /** The whole of an answer. */
  encode(value: object, schema: StructSchema | undefined): Buffer;
  /** An element of a list. */
  item(value: object, schema: StructSchema | undefined): Buffer;
  /** Where the whole of an answer is the element of a list with something around it. */
  readonly wrap?: (item: Buffer, type: { readonly kind: string; readonly apiVersion: string }) => Buffer;
  /** Begins a list that is written item by item. */
  openList(list: OpenList): ListFrame;
  /** One event of a stream, around the bytes that `encode` made of its object. */
  frame(type: string, object: Buffer): Buffer;
  /** The same as a message of a protocol that has frames of its own. */
  message(type: string, object: Buffer): Buffer;
}

export const nothing = Buffer.alloc(0);
