import type { PortRange } from './service-ranges.ts';

/**
 * Which ports of a range are taken. As bytes it is a big-endian number without leading zeros, as kube-apiserver stores
 * it.
 */
export class PortBits {
  readonly range: PortRange;
  /** The bits of the lowest ports come first. */
  readonly #bytes: Uint8Array;
  #isChanged = false;

  constructor({ first, last }: PortRange, data: Uint8Array = new Uint8Array()) {
    this.range = { first, last };
    this.#bytes = new Uint8Array(Math.ceil((last - first + 1) / 8));
    this.#bytes.set(data.toReversed().subarray(0, this.#bytes.length));
  }

  /** Whether a port was taken or released since the start. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  includes(port: number): boolean {
    return port >= this.range.first && port <= this.range.last;
  }

  has(port: number): boolean {
    const offset = port - this.range.first;
    return this.includes(port) && (this.#bytes[offset >> 3]! & (1 << (offset & 7))) !== 0;
  }

  /** The port must be in the range. */
  set(port: number): void {
    if (!this.has(port)) this.#flip(port);
  }

  /** The port must be in the range. */
  release(port: number): void {
    if (this.has(port)) this.#flip(port);
  }

  #flip(port: number): void {
    const offset = port - this.range.first;
    this.#bytes[offset >> 3]! ^= 1 << (offset & 7);
    this.#isChanged = true;
  }

  /** The taken ports, in order. */
  *ports(): Generator<number> {
    const { first, last } = this.range;
    for (let port = first; port <= last; port++) if (this.has(port)) yield port;
  }

  toBytes(): Uint8Array {
    const bytes = this.#bytes.toReversed();
    const start = bytes.findIndex((byte) => byte !== 0);
    return start < 0 ? new Uint8Array() : bytes.subarray(start);
  }
}
