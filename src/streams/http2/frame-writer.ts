import { copyBytes } from '../copy-bytes.ts';
import { flags, frameHeaderLength, frameTypes, maxWindow } from './protocol.ts';
import { maxSlabSize, returnSlab, takeSlab } from './slab-pool.ts';

/** A filled part of a slab. */
export interface Segment {
  readonly slab: Buffer;
  readonly length: number;
}

export interface DataFrame {
  readonly id: number;
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
}

export interface HeadersFrame {
  readonly id: number;
  /** The header block is at the start of this buffer. */
  readonly block: Buffer;
  readonly length: number;
  readonly isLast: boolean;
  readonly maxFrameSize: number;
}

/** Collects frames that are sent together. Everything is copied, so the sources may change afterwards. */
export class FrameWriter {
  /** The number of bytes that have been written but not taken. */
  length = 0;
  #slab: Buffer | undefined = undefined;
  #used = 0;
  #full: Segment[] = [];

  /** Removes and returns everything. The receiver returns the slabs. */
  takeAll(): readonly Segment[] {
    const segments = this.#full;
    if (this.#slab !== undefined) segments.push({ slab: this.#slab, length: this.#used });
    this.#slab = undefined;
    this.#used = 0;
    this.#full = [];
    this.length = 0;
    return segments;
  }

  data({ id, chunk, start, end, isLast }: DataFrame): void {
    const size = end - start;
    const at = this.#begin(frameTypes.data, isLast ? flags.endStream : 0, id, size);
    if (size === chunk.length) copyBytes(chunk, this.#slab!, at);
    else chunk.copy(this.#slab!, at, start, end);
  }

  /** Writes one frame, and continuation frames if the block is too long. */
  headers({ id, block, length, isLast, maxFrameSize }: HeadersFrame): void {
    const last = isLast ? flags.endStream : 0;
    if (length <= maxFrameSize) {
      const at = this.#begin(frameTypes.headers, last | flags.endHeaders, id, length);
      block.copy(this.#slab!, at, 0, length);
      return;
    }
    for (let start = 0; start < length; start += maxFrameSize) {
      const end = Math.min(length, start + maxFrameSize);
      const done = end === length ? flags.endHeaders : 0;
      const type = start === 0 ? frameTypes.headers : frameTypes.continuation;
      const at = this.#begin(type, start === 0 ? last | done : done, id, end - start);
      block.copy(this.#slab!, at, start, end);
    }
  }

  reset(id: number, code: number): void {
    const at = this.#begin(frameTypes.reset, 0, id, 4);
    this.#writeInteger(at, code);
  }

  windowUpdate(id: number, increment: number): void {
    const at = this.#begin(frameTypes.windowUpdate, 0, id, 4);
    this.#writeInteger(at, increment);
  }

  settings(values: ReadonlyMap<number, number>): void {
    let at = this.#begin(frameTypes.settings, 0, 0, 6 * values.size);
    for (const [setting, value] of values) {
      at = this.#slab!.writeUInt16BE(setting, at);
      at = this.#writeInteger(at, value);
    }
  }

  settingsAck(): void {
    this.#begin(frameTypes.settings, flags.ack, 0, 0);
  }

  ping(payload: Buffer, flag: 0 | typeof flags.ack): void {
    const at = this.#begin(frameTypes.ping, flag, 0, 8);
    payload.copy(this.#slab!, at);
  }

  goAway(lastId: number, code: number): void {
    const at = this.#begin(frameTypes.goAway, 0, 0, 8);
    this.#writeInteger(this.#writeInteger(at, lastId & maxWindow), code);
  }

  /** Writes the header of a frame. Returns the offset for its payload. */
  #begin(type: number, flag: number, id: number, size: number): number {
    const slab = this.#reserve(frameHeaderLength + size);
    const at = this.#used;
    slab[at] = size >>> 16;
    slab[at + 1] = size >>> 8;
    slab[at + 2] = size;
    slab[at + 3] = type;
    slab[at + 4] = flag;
    this.#writeInteger(at + 5, id);
    this.#used = at + frameHeaderLength + size;
    this.length += frameHeaderLength + size;
    return at + frameHeaderLength;
  }

  #writeInteger(at: number, value: number): number {
    const slab = this.#slab!;
    slab[at] = value >>> 24;
    slab[at + 1] = value >>> 16;
    slab[at + 2] = value >>> 8;
    slab[at + 3] = value;
    return at + 4;
  }

  #reserve(size: number): Buffer {
    const slab = this.#slab;
    if (slab !== undefined && this.#used + size <= slab.length) return slab;
    if (slab === undefined) {
      this.#slab = takeSlab(size);
    } else if (this.#used + size <= maxSlabSize) {
      // One larger write is cheaper than two.
      this.#slab = takeSlab(this.#used + size);
      slab.copy(this.#slab, 0, 0, this.#used);
      returnSlab(slab);
    } else {
      this.#full.push({ slab, length: this.#used });
      this.#slab = takeSlab(size);
      this.#used = 0;
    }
    return this.#slab;
  }
}
