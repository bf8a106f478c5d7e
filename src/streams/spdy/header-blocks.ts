import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { SpdyError } from './spdy-error.ts';

/** Names in lower case. Values of a repeated header are joined by NUL, as on the wire. */
export type SpdyHeaders = Readonly<Record<string, string>>;

/** The words of the dictionary of SPDY/3 that have their length before them. */
const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow ' +
  'authorization cache-control connection content-base content-encoding content-language content-length ' +
  'content-location content-md5 content-range content-type date etag expect expires from host if-match ' +
  'if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma ' +
  'proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade ' +
  'user-agent vary via warning www-authenticate method get status';
const lastWords = ['200 OK', 'version', 'HTTP/1.1', 'url', 'public', 'set-cookie', 'keep-alive', 'origin'];
const texts =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden' +
  '404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

/** The initial dictionary of both sides. */
export const dictionary = Buffer.concat([
  ...[...words.split(' '), ...lastWords].flatMap((word) => [length(word.length), Buffer.from(word)]),
  Buffer.from(texts),
]);

/** The start of a zlib stream that continues the dictionary: the method, the flag, the checksum of the dictionary. */
const zlibHeader = Buffer.from('78bbe3c6a7c2', 'hex');
const hasDictionary = 0x20;
const windowSize = 32 * 1024;
const flush = { finishFlush: constants.Z_SYNC_FLUSH };

function length(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/**
 * Compresses header blocks. All blocks of one direction are one zlib stream. Every block is compressed independently,
 * so that no state is needed. The receiver cannot tell the difference, and the few short headers of these protocols
 * would gain little from shared state.
 */
export class HeaderWriter {
  #begun = false;

  write(headers: SpdyHeaders): Buffer {
    const entries = Object.entries(headers);
    const plain = Buffer.concat([
      length(entries.length),
      ...entries.flatMap((entry) =>
        entry.flatMap((text) => {
          const bytes = Buffer.from(text);
          return [length(bytes.length), bytes];
        }),
      ),
    ]);
    const block = deflateRawSync(plain, flush);
    if (this.#begun) return block;
    this.#begun = true;
    return Buffer.concat([zlibHeader, block]);
  }
}

/** Decompresses the header blocks of the peer. A block may refer to all earlier ones. */
export class HeaderReader {
  /**
   * The last bytes of the stream so far. Blocks end at a byte boundary, so each block can be decompressed with this as
   * a dictionary.
   */
  #window: Buffer = dictionary;
  #begun = false;
  readonly #maxBytes: number;

  /** `maxBytes` limits the size of a decompressed block. */
  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#maxBytes = maxBytes;
  }

  /** Throws a SpdyError for a block that is not well-formed or too large. */
  read(block: Buffer): SpdyHeaders {
    const plain = this.#decompress(this.#begun ? block : this.#withoutHeader(block));
    this.#begun = true;
    this.#window = Buffer.concat([this.#window, plain]).subarray(-windowSize);
    return parse(plain);
  }

  #withoutHeader(block: Buffer): Buffer {
    if (block.length < 2 || (block[0]! & 0x0f) !== 8 || block.readUInt16BE() % 31 !== 0) {
      throw new SpdyError('the header block is not compressed with zlib');
    }
    if ((block[1]! & hasDictionary) !== 0) return block.subarray(zlibHeader.length);
    this.#window = Buffer.alloc(0);
    return block.subarray(2);
  }

  #decompress(block: Buffer): Buffer {
    try {
      const window = this.#window.length === 0 ? undefined : this.#window;
      return inflateRawSync(block, { ...flush, dictionary: window, maxOutputLength: this.#maxBytes });
    } catch (cause) {
      throw new SpdyError('the header block cannot be decompressed', { cause });
    }
  }
}

function parse(plain: Buffer): SpdyHeaders {
  let at = 0;
  const number = (): number => {
    if (at + 4 > plain.length) throw new SpdyError('the header block is cut off');
    at += 4;
    return plain.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const size = number();
    if (at + size > plain.length) throw new SpdyError('the header block is cut off');
    at += size;
    return plain.toString('utf8', at - size, at);
  };
  const headers: Record<string, string> = Object.create(null);
  for (let left = number(); left > 0; left--) {
    const name = text().toLowerCase();
    if (name === '' || name in headers) throw new SpdyError('the header block has an empty or repeated name');
    headers[name] = text();
  }
  return headers;
}
