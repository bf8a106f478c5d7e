import type { FrameHead } from './frame-reader.ts';
import { maxBlockFrames } from './limits.ts';
import { type ErrorCode, errorCodes, flags, frameTypes, maxWindow } from './protocol.ts';

/** A complete header block, still compressed. */
export interface HeaderBlock {
  /** The ID of the stream. */
  readonly id: number;
  /** Whether no data follows. */
  readonly isLast: boolean;
  /** Whether the client has made the stream depend on itself, which is a stream error. */
  readonly dependsOnItself: boolean;
  readonly bytes: Buffer;
}

/** A block, the fault that ends the connection, or undefined while frames of the block are missing. */
type BlockResult = HeaderBlock | { readonly fault: ErrorCode } | undefined;

interface OpenBlock extends Omit<HeaderBlock, 'bytes'> {
  readonly fragments: Buffer[];
  length: number;
}

/** Joins the frames of header blocks. A block that is one frame is not copied. */
export class HeaderBlocks {
  /** Whether the peer has sent its first settings, so that other frames are allowed. */
  mayCome = false;
  readonly #maxLength: number;
  #open: OpenBlock | undefined = undefined;

  /** `maxLength` is the maximum compressed size of a block, in bytes. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Whether a frame is allowed now: settings must come first, and no other frames between those of a header block. */
  isExpected({ type, id, flags: flag }: FrameHead): boolean {
    if (this.#open !== undefined) return type === frameTypes.continuation && id === this.#open.id;
    return this.mayCome || (type === frameTypes.settings && (flag & flags.ack) === 0);
  }

  /** Takes a HEADERS frame. */
  begin({ id, flags: flag }: FrameHead, payload: Buffer): BlockResult {
    let start = 0;
    let padding = 0;
    let dependsOnItself = false;
    if ((flag & flags.padded) !== 0) padding = payload[start++] ?? 0;
    if ((flag & flags.priority) !== 0) {
      dependsOnItself = payload.length >= start + 5 && dependencyOf(payload, start) === id;
      start += 5;
    }
    if (start > payload.length) return { fault: errorCodes.frameSizeError };
    if (start + padding > payload.length || (id & 1) === 0) return { fault: errorCodes.protocolError };
    const isLast = (flag & flags.endStream) !== 0;
    const fragment = payload.subarray(start, payload.length - padding);
    if ((flag & flags.endHeaders) !== 0) return { id, isLast, dependsOnItself, bytes: fragment };
    this.#open = { id, isLast, dependsOnItself, fragments: [Buffer.from(fragment)], length: fragment.length };
    return undefined;
  }

  /** Takes a CONTINUATION frame. */
  continue({ flags: flag }: FrameHead, payload: Buffer): BlockResult {
    const block = this.#open;
    if (block === undefined) return { fault: errorCodes.protocolError };
    const { fragments } = block;
    block.length += payload.length;
    fragments.push(Buffer.from(payload));
    if (block.length > this.#maxLength || fragments.length > maxBlockFrames) {
      return { fault: errorCodes.enhanceYourCalm };
    }
    if ((flag & flags.endHeaders) === 0) return undefined;
    this.#open = undefined;
    const { id, isLast, dependsOnItself, length } = block;
    return { id, isLast, dependsOnItself, bytes: Buffer.concat(fragments, length) };
  }
}

/** Returns the stream that a stream depends on, from the priority at this offset of a frame. */
export function dependencyOf(payload: Buffer, at: number): number {
  return payload.readUInt32BE(at) & maxWindow;
}
