import type { WireWriter } from './wire-writer.ts';

/** Writes a value in its JSON form, and its tag before it. Null and undefined are the zero value. */
export type WriteValue = (writer: WireWriter, value: unknown, tag: number) => void;

/** How a value that stands alone, in a list or in a map gets onto the wire. */
export interface ValueWriter {
  /** As which it goes. */
  readonly wireType: number;
  readonly write: WriteValue;
}
