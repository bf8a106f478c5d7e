import { contentHash } from '../discovery/entity-tag.ts';
import type { FieldWriter } from './gnostic-fields.ts';
import { compressed, encodeFields, type StoredEntries } from './stored-entries.ts';

export type DocumentEncoding = 'json' | 'protobuf';

/** What a document has around its paths and schemas. */
export interface DocumentLayout {
  readonly document: (paths: object, schemas: object) => object;
  /** The same without everything else. */
  readonly part: (paths: object, schemas: object) => object;
  /** Describes the protobuf encoding. */
  readonly fields: FieldWriter;
}

/** A document of one or more parts. It is put together when it is requested. */
export class StoredDocument {
  /** Identifies the content, independent of the encoding. */
  readonly hash: string;
  readonly lastModified = new Date().toUTCString();
  readonly #layout: DocumentLayout;
  readonly #parts: readonly StoredEntries[];
  /** Requests at the same time share the bytes. */
  readonly #joining = new Map<DocumentEncoding, Promise<Buffer>>();
  readonly #compressed = new Map<DocumentEncoding, Promise<Buffer>>();

  constructor(layout: DocumentLayout, parts: readonly StoredEntries[]) {
    this.#layout = layout;
    this.#parts = parts;
    const frame = JSON.stringify(layout.document({}, {}));
    this.hash = contentHash(Buffer.from([frame, ...parts.map(({ hash }) => hash)].join('\n')));
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

  /** Kept, because most clients accept gzip. */
  compressed(encoding: DocumentEncoding): Promise<Buffer> {
    let known = this.#compressed.get(encoding);
    if (known === undefined) {
      known = this.bytes(encoding).then(compressed);
      known.catch(() => this.#compressed.delete(encoding));
      this.#compressed.set(encoding, known);
    }
    return known;
  }

  async #json(): Promise<Buffer> {
    const paths: Buffer[] = [];
    const schemas: Buffer[] = [];
    for (const part of this.#parts) {
      const texts = await part.texts();
      paths.push(texts.paths);
      schemas.push(texts.schemas);
    }
    const [before, between, after] = frameOf(this.#layout);
    return Buffer.concat([before!, ...separated(paths), between!, ...separated(schemas), after!]);
  }

  async #protobuf(): Promise<Buffer> {
    const encoded: Uint8Array[] = [encodeFields(this.#layout.document({}, {}), this.#layout)];
    for (const part of this.#parts) encoded.push(await part.protobuf(this.#layout));
    return Buffer.concat(encoded);
  }
}

/** The JSON before, between and after the members of the two large objects. */
function frameOf({ document }: DocumentLayout): Buffer[] {
  const mark = JSON.stringify({ '': 0 });
  const text = JSON.stringify(document({ '': 0 }, { '': 0 }));
  return text.split(mark.slice(1, -1)).map((piece) => Buffer.from(piece));
}

const comma = Buffer.from(',\n');

function separated(texts: readonly Buffer[]): Buffer[] {
  return texts.filter((text) => text.length > 0).flatMap((text, index) => (index === 0 ? [text] : [comma, text]));
}
