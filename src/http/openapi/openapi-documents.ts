import { type DocumentContents, type DocumentSources, documentContents } from './document-contents.ts';
import { swaggerFields } from './gnostic-v2.ts';
import { openApiFields } from './gnostic-v3.ts';
import { openApiDocument } from './openapi-document.ts';
import { StoredDocument } from './stored-document.ts';
import { swaggerDocument } from './swagger-document.ts';

export interface DocumentIndex {
  readonly body: Buffer;
  readonly lastModified: string;
}

/** Builds documents on demand, and caches them until the catalog changes. */
export class OpenApiDocuments {
  readonly #sources: DocumentSources;
  #generation: number | undefined;
  #contents: DocumentContents | undefined;
  #swagger: StoredDocument | undefined;
  #index: DocumentIndex | undefined;
  readonly #openApi = new Map<string, StoredDocument>();

  constructor(sources: DocumentSources) {
    this.#sources = sources;
  }

  swagger(): StoredDocument {
    const contents = this.#current();
    this.#swagger ??= new StoredDocument(swaggerDocument(contents), swaggerFields);
    return this.#swagger;
  }

  /** Undefined when there is no document with that name. */
  openApi(name: string): StoredDocument | undefined {
    const contents = this.#current();
    const known = this.#openApi.get(name);
    if (known !== undefined) return known;
    const items = contents.pathItems.get(name)?.();
    if (items === undefined) return undefined;
    const document = new StoredDocument(openApiDocument(items, contents), openApiFields);
    this.#openApi.set(name, document);
    return document;
  }

  /** Lists every document with the hash of its content, which requires building all of them. */
  index(): DocumentIndex {
    const { pathItems } = this.#current();
    if (this.#index === undefined) {
      const names = [...pathItems.keys()].sort();
      const paths = names.map((name) => [name, { serverRelativeURL: documentUrl(name, this.openApi(name)!.hash) }]);
      const body = Buffer.from(JSON.stringify({ paths: Object.fromEntries(paths) }));
      this.#index = { body, lastModified: new Date().toUTCString() };
    }
    return this.#index;
  }

  #current(): DocumentContents {
    const { generation } = this.#sources.catalog;
    if (this.#contents === undefined || this.#generation !== generation) {
      this.#generation = generation;
      this.#contents = documentContents(this.#sources);
      this.#swagger = undefined;
      this.#index = undefined;
      this.#openApi.clear();
    }
    return this.#contents;
  }
}

/** The URL of a document, which changes with its content. */
export function documentUrl(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}
