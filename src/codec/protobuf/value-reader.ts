import type { WireReader } from './wire-reader.ts';

/** How a value that stands alone, in a list or in a map gets from the wire into its JSON form. */
export interface ValueReader {
  /** As which it comes. */
  readonly wireType: number;
  /** With the reader behind the tag. Null: a zero value that JSON leaves out. */
  readonly read: (reader: WireReader) => unknown;
}

/** Reads something from the wire into the object that it belongs to: an occurrence of a field, or a whole message. */
export type PartReader = (reader: WireReader, target: Record<string, unknown>) => void;
