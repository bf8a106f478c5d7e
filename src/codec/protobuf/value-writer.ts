import type { WireWriter } from './wire-writer.ts';

/** Writes a value in its JSON form, preceded by its tag. Null and undefined represent the zero value. */
export type WriteValue = (writer: WireWriter, value: unknown, tag: number) => void;

/** Writes a value, list element or map value to the wire. */
export interface ValueWriter {
  /** The wire type to write. */
  readonly wireType: number;
  readonly write: WriteValue;
}
