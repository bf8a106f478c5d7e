import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type * as Protobuf from 'protobufjs/minimal.js';
import { inTurns, type Steps } from '../../meta/turns.ts';
import { type DocumentEntries, joinedEntries, splitEntries } from './document-entries.ts';
import type { DocumentLayout } from './stored-document.ts';

const require = createRequire(import.meta.url);
const compress = promisify(gzip);
const decompress = promisify<Uint8Array, Buffer>(gunzip);

/** The members of the two large objects of a document, without braces. */
export interface EntryTexts {
  readonly paths: Buffer;
  readonly schemas: Buffer;
}

/**
 * Entries of documents, which have up to some megabytes and are requested by few clients. Only the compressed bytes are
 * kept, which have a twentieth of the size.
 */
export class StoredEntries {
  /** Identifies the content. */
  readonly hash: string;
  readonly #paths: Buffer;
  readonly #schemas: Buffer;
  #protobuf: Promise<Buffer> | undefined;

  private constructor(hash: string, { paths, schemas }: EntryTexts) {
    this.hash = hash;
    this.#paths = paths;
    this.#schemas = schemas;
  }

  /** Runs the steps and stores their result. */
  static async of(steps: Steps<DocumentEntries>): Promise<StoredEntries> {
    const { hash, paths, schemas } = await inTurns(hashed(steps));
    return new StoredEntries(hash, { paths: await compressed(paths), schemas: await compressed(schemas) });
  }

  async texts(): Promise<EntryTexts> {
    return { paths: await decompress(this.#paths), schemas: await decompress(this.#schemas) };
  }

  /** What the entries add to the document in protobuf, where concatenation merges messages. */
  async protobuf(layout: DocumentLayout): Promise<Buffer> {
    this.#protobuf ??= this.#encoded(layout);
    return decompress(await this.#protobuf);
  }

  async #encoded(layout: DocumentLayout): Promise<Buffer> {
    const { paths, schemas } = await this.texts();
    return compressed(await inTurns(encode({ paths, schemas }, layout)));
  }
}

function* hashed(steps: Steps<DocumentEntries>): Steps<{ hash: string; paths: string; schemas: string }> {
  const { paths, schemas } = yield* steps;
  const hash = createHash('sha512');
  for (const entry of [...paths, '', ...schemas]) {
    hash.update(entry).update('\n');
    yield;
  }
  return { hash: hash.digest('hex'), paths: joinedEntries(paths), schemas: joinedEntries(schemas) };
}

function* encode({ paths, schemas }: EntryTexts, layout: DocumentLayout): Steps<Buffer> {
  const encoded: Uint8Array[] = [];
  for (const entry of splitEntries(paths.toString())) {
    encoded.push(encodeFields(layout.part(JSON.parse(`{${entry}}`), {}), layout));
    yield;
  }
  for (const entry of splitEntries(schemas.toString())) {
    encoded.push(encodeFields(layout.part({}, JSON.parse(`{${entry}}`)), layout));
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
export async function compressed(bytes: string | Uint8Array): Promise<Buffer> {
  return Buffer.from(await compress(bytes));
}
