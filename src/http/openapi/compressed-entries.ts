import { createHash, type Hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type * as Protobuf from 'protobufjs/minimal.js';
import { inTurns, type Steps } from '../../meta/turns.ts';
import { type DocumentEntries, type DocumentLayout, separator, splitEntries } from './document-entries.ts';
import { Lazy } from './lazy.ts';

const require = createRequire(import.meta.url);
const compress = promisify(gzip);
const decompress = promisify<Uint8Array, Buffer>(gunzip);

/** The members of the two large objects of a document, without braces. */
export interface EntryTexts {
  readonly paths: Buffer;
  readonly schemas: Buffer;
}

/**
 * Entries of documents. Documents have up to some megabytes, and few clients request them, so only the compressed bytes
 * are kept. They have a twentieth of the size.
 */
export class CompressedEntries {
  /** Identifies the content. */
  readonly hash: string;
  readonly #paths: Buffer;
  readonly #schemas: Buffer;
  #protobuf: Lazy<Buffer> | undefined;

  private constructor(hash: string, { paths, schemas }: EntryTexts) {
    this.hash = hash;
    this.#paths = paths;
    this.#schemas = schemas;
  }

  /** Runs the steps and compresses their result. */
  static async of(steps: Steps<DocumentEntries>): Promise<CompressedEntries> {
    const { hash, paths, schemas } = await inTurns(hashed(steps));
    return new CompressedEntries(hash, { paths: await compressed(paths), schemas: await compressed(schemas) });
  }

  async texts(): Promise<EntryTexts> {
    return { paths: await decompress(this.#paths), schemas: await decompress(this.#schemas) };
  }

  /** The protobuf encoding of the entries, where concatenation merges messages. */
  async protobuf(layout: DocumentLayout): Promise<Buffer> {
    this.#protobuf ??= new Lazy(async () => compressed(await inTurns(encode(await this.texts(), layout))));
    return decompress(await this.#protobuf.get());
  }
}

interface HashedTexts extends EntryTexts {
  readonly hash: string;
}

function* hashed(steps: Steps<DocumentEntries>): Steps<HashedTexts> {
  const entries = yield* steps;
  const hash = createHash('sha512');
  const paths = yield* joined(entries.paths, hash);
  // The separator makes the hash differ when an entry moves from the paths to the schemas.
  hash.update('\n');
  const schemas = yield* joined(entries.schemas, hash);
  return { hash: hash.digest('hex'), paths, schemas };
}

function* joined(entries: readonly string[], hash: Hash): Steps<Buffer> {
  const pieces: Buffer[] = [];
  for (const entry of entries) {
    if (pieces.length > 0) pieces.push(separator);
    const bytes = Buffer.from(entry);
    hash.update(bytes);
    pieces.push(bytes);
    yield;
  }
  return Buffer.concat(pieces);
}

function* encode({ paths, schemas }: EntryTexts, layout: DocumentLayout): Steps<Buffer> {
  const encoded: Uint8Array[] = [];
  for (const entry of splitEntries(paths)) {
    encoded.push(encodeFields(layout.fragment(JSON.parse(`{${entry}}`), {}), layout));
    yield;
  }
  for (const entry of splitEntries(schemas)) {
    encoded.push(encodeFields(layout.fragment({}, JSON.parse(`{${entry}}`)), layout));
    yield;
  }
  return Buffer.concat(encoded);
}

export function encodeFields(content: object, { fields }: DocumentLayout): Uint8Array {
  // Loaded on demand: most servers never need the library, and importing it would delay their start.
  const { Writer } = require('protobufjs/minimal.js') as typeof Protobuf;
  const writer = Writer.create();
  fields(writer, content as never);
  return writer.finish();
}

/** Copies the result: zlib's buffer is part of a chunk of 16 KiB or more, which would stay in memory. */
export async function compressed(bytes: Uint8Array): Promise<Buffer> {
  return Buffer.from(await compress(bytes));
}
