import { createRequire } from 'node:module';
import { gunzipSync, gzipSync } from 'node:zlib';
import type * as Protobuf from 'protobufjs/minimal.js';
import { contentHash } from '../discovery/entity-tag.ts';
import type { FieldWriter } from './gnostic-fields.ts';

const require = createRequire(import.meta.url);

export type DocumentEncoding = 'json' | 'protobuf';

/**
 * A document of several hundred kilobytes that few clients request. Only the compressed bytes are kept: they have a
 * twentieth of the size, and most clients accept gzip.
 */
export class StoredDocument {
  /** Identifies the content, independent of the encoding. */
  readonly hash: string;
  readonly lastModified: string;
  readonly #fields: FieldWriter;
  readonly #json: Buffer;
  #protobuf: Buffer | undefined;

  /** `fields` describes the protobuf encoding. */
  constructor(content: object, fields: FieldWriter) {
    const bytes = Buffer.from(JSON.stringify(content));
    this.hash = contentHash(bytes);
    this.lastModified = new Date().toUTCString();
    this.#fields = fields;
    this.#json = compressed(bytes);
  }

  bytes(encoding: DocumentEncoding): Buffer {
    return gunzipSync(this.compressed(encoding));
  }

  compressed(encoding: DocumentEncoding): Buffer {
    if (encoding === 'json') return this.#json;
    this.#protobuf ??= compressed(this.#encoded());
    return this.#protobuf;
  }

  #encoded(): Uint8Array {
    // Loaded on demand: most servers never need the library, and importing it would delay their start.
    const { Writer } = require('protobufjs/minimal.js') as typeof Protobuf;
    const writer = Writer.create();
    this.#fields(writer, JSON.parse(this.bytes('json').toString()) as never);
    return writer.finish();
  }
}

/** Copies the result: zlib's buffer is part of a chunk of 16 KiB or more, which would stay in memory. */
function compressed(bytes: Uint8Array): Buffer {
  return Buffer.from(gzipSync(bytes));
}
