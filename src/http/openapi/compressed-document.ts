import { contentHash } from '../discovery/entity-tag.ts';
import { type CompressedEntries, compressed, encodeFields } from './compressed-entries.ts';
import { type DocumentLayout, separator } from './document-entries.ts';
import { Lazy } from './lazy.ts';

export type DocumentEncoding = 'json' | 'protobuf';

/** A document of one or more parts. It is put together when it is requested. */
export class CompressedDocument {
  /** Identifies the content, independent of the encoding. */
  readonly hash: string;
  readonly lastModified = new Date().toUTCString();
  readonly #layout: DocumentLayout;
  readonly #fragments: readonly CompressedEntries[];
  /** Concurrent requests share the bytes. */
  readonly #joining = new Map<DocumentEncoding, Promise<Buffer>>();
  readonly #compressed: Readonly<Record<DocumentEncoding, Lazy<Buffer>>> = {
    json: new Lazy(async () => compressed(await this.bytes('json'))),
    protobuf: new Lazy(async () => compressed(await this.bytes('protobuf'))),
  };

  /** If no hash is given, it is computed from the content. */
  constructor(layout: DocumentLayout, fragments: readonly CompressedEntries[], hash?: string) {
    this.#layout = layout;
    this.#fragments = fragments;
    const frame = JSON.stringify(layout.document({}, {}));
    this.hash = hash ?? contentHash(Buffer.from([frame, ...fragments.map(({ hash }) => hash)].join('\n')));
  }

  bytes(encoding: DocumentEncoding): Promise<Buffer> {
    const known = this.#joining.get(encoding);
    if (known !== undefined) return known;
    const joining = (encoding === 'json' ? this.#json() : this.#protobuf()).finally(() =>
      this.#joining.delete(encoding),
    );
    this.#joining.set(encoding, joining);
    return joining;
  }

  /** The result is cached, because most clients accept gzip. */
  compressed(encoding: DocumentEncoding): Promise<Buffer> {
    return this.#compressed[encoding].get();
  }

  async #json(): Promise<Buffer> {
    const paths: Buffer[] = [];
    const schemas: Buffer[] = [];
    for (const fragment of this.#fragments) {
      const texts = await fragment.texts();
      paths.push(texts.paths);
      schemas.push(texts.schemas);
    }
    const hasSchemas = schemas.some((text) => text.length > 0);
    const [before, between, after = Buffer.of()] = frameOf(this.#layout, { hasSchemas });
    return Buffer.concat([before!, ...separated(paths), between!, ...separated(schemas), after]);
  }

  async #protobuf(): Promise<Buffer> {
    const encoded: Uint8Array[] = [encodeFields(this.#layout.document({}, {}), this.#layout)];
    for (const fragment of this.#fragments) encoded.push(await fragment.protobuf(this.#layout));
    return Buffer.concat(encoded);
  }
}

/** The JSON before, between and after the members of the large objects. */
function frameOf({ document }: DocumentLayout, { hasSchemas }: { readonly hasSchemas: boolean }): Buffer[] {
  const members = { '': 0 };
  const text = JSON.stringify(document(members, hasSchemas ? members : undefined));
  return text.split('"":0').map((piece) => Buffer.from(piece));
}

function separated(texts: readonly Buffer[]): Buffer[] {
  return texts.filter((text) => text.length > 0).flatMap((text, index) => (index === 0 ? [text] : [separator, text]));
}
