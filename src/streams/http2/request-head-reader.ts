import { HeaderDecoder, type HeaderDecoderOptions } from './header-decoder.ts';
import { areTrailers, type RequestHead, requestHead } from './request-head.ts';

/** `damaged`: no later block can be read. `large`, `malformed`: only this request is rejected. */
export type HeadFault = 'damaged' | 'large' | 'malformed';

/** Longer blocks are decoded every time. */
const maxCachedBlock = 1024;
const maxCached = 16;
/** After this many misses, the cache is checked only occasionally. */
const maxMisses = 32;
const retryInterval = 64;

/**
 * Reads the header blocks of one connection. Clients often repeat header blocks, so the requests of recent blocks are
 * cached. A block that refers to the compression table has another meaning after a change of the table.
 */
export class RequestHeadReader {
  readonly #decoder: HeaderDecoder;
  readonly #cache = new Map<string, RequestHead>();
  #cachedVersion = 0;
  #misses = 0;

  constructor(options: HeaderDecoderOptions) {
    this.#decoder = new HeaderDecoder(options);
  }

  read(block: Buffer): RequestHead | HeadFault {
    const key = this.#mayBeCached(block) ? block.toString('latin1') : undefined;
    if (key !== undefined) {
      const known = this.#cache.get(key);
      if (known !== undefined) {
        this.#misses = 0;
        return known;
      }
      this.#misses++;
    }
    const { version } = this.#decoder;
    const fields = this.#decoder.decode(block);
    if (fields === undefined) return 'damaged';
    if (this.#decoder.isTooLarge) return 'large';
    const head = requestHead(fields);
    if (head === undefined) return 'malformed';
    if (key !== undefined && version === this.#decoder.version) this.#remember(key, head);
    return head;
  }

  /** Reads the trailers after a body and drops them. */
  readTrailers(block: Buffer): HeadFault | undefined {
    const fields = this.#decoder.decode(block);
    if (fields === undefined) return 'damaged';
    if (this.#decoder.isTooLarge) return 'large';
    return areTrailers(fields) ? undefined : 'malformed';
  }

  /** Decodes a block only to update the table. Returns false when it is invalid. */
  skip(block: Buffer): boolean {
    return this.#decoder.decode(block) !== undefined;
  }

  #mayBeCached(block: Buffer): boolean {
    if (block.length > maxCachedBlock) return false;
    if (this.#cachedVersion !== this.#decoder.version) {
      this.#cachedVersion = this.#decoder.version;
      this.#cache.clear();
    }
    if (this.#misses < maxMisses) return true;
    this.#misses = this.#misses >= maxMisses + retryInterval ? maxMisses - 2 : this.#misses + 1;
    return false;
  }

  #remember(key: string, head: RequestHead): void {
    if (this.#cache.size >= maxCached) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(key, head);
  }
}
