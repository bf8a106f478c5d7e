import { DecodeError } from '../../meta/decode-error.ts';
import { majorTypes, tags } from './major-types.ts';
import type { ScalarReader } from './scalar-reader.ts';

/** The maximum nesting depth of arrays, maps and tags. */
const maxDepth = 10_000;

export interface Tags {
  /** The tag that gives the text encoding of byte strings; 0 when they are plain text. */
  readonly encoding: number;
  readonly depth: number;
  /** Set when the innermost tag marks a time. */
  readonly time: number | undefined;
}

/** Reads the tags of an item and then its head. Ignores unknown tags. */
export function readTags(reader: ScalarReader, around: { readonly encoding: number; readonly depth: number }): Tags {
  let { encoding, depth } = around;
  for (;;) {
    const tag = reader.argument;
    const major = reader.peek() >> 5;
    if (tag === tags.unsignedBignum || tag === tags.negativeBignum) {
      throw new DecodeError('cbor: data item of cbor type tag is not accepted by protocol: bignum');
    }
    if (tag >= tags.base64url && tag <= tags.base16) encoding = tag;
    const isTime = tag === tags.dateTime || tag === tags.epochTime;
    const time = isTime && reader.checkTimeContent(tag) ? tag : undefined;
    reader.next();
    if (major !== majorTypes.tag) return { encoding, depth, time };
    depth++;
    checkDepth(depth);
  }
}

export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw new DecodeError(`cbor: exceeded max nested level ${maxDepth}`);
}
