import type { WireReader } from './wire-reader.ts';

/** Reads a value, list element or map value from the wire into its JSON form. */
export interface ValueReader {
  /** The expected wire type. */
  readonly wireType: number;
  /** Called with the reader positioned after the tag. Returns null for a zero value that JSON omits. */
  readonly read: (reader: WireReader) => unknown;
}

/** Reads a field occurrence or a whole message from the wire into the object it belongs to. */
export type ReadInto = (reader: WireReader, target: Record<string, unknown>) => void;
