import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RemoteOpenApiDocuments, SwaggerContent } from '../http/openapi/index.ts';
import { inTurns } from '../meta/turns.ts';
import { groupVersionPath } from './api-service.ts';
import {
  type DocumentRequest,
  parsedResponse,
  RemoteDocuments,
  type RemoteDocumentsOptions,
} from './remote-documents.ts';
import { swaggerFragment } from './swagger-fragment.ts';

const compress = promisify(gzip);
const decompress = promisify<Uint8Array, Buffer>(gunzip);

const maxIndexBytes = 1024 * 1024;
/** A document about all types of Kubernetes has about this size. Larger ones are not merged. */
const maxSwaggerBytes = 4 * 1024 * 1024;
/** The allowed hashes, because a hash becomes part of a URL. */
const hashPattern = /^[0-9A-Za-z]{1,256}$/;

interface OpenApiDocument {
  /** The hash of the document of the group version at `/openapi/v3`. Undefined when the server has none. */
  readonly hash: string | undefined;
  readonly swagger: StoredSwagger | undefined;
}

interface StoredSwagger {
  readonly etag: string | undefined;
  /** The part about the group version, as compressed JSON. */
  readonly content: Buffer;
}

/** The OpenAPI documents of other servers. */
export class RemoteOpenApi implements RemoteOpenApiDocuments {
  readonly #documents: RemoteDocuments<OpenApiDocument>;
  readonly #report: (error: Error) => void;
  generation = 1;

  constructor(
    options: Omit<RemoteDocumentsOptions<OpenApiDocument>, 'about' | 'fetch' | 'onChange'>,
    signal: AbortSignal,
  ) {
    this.#report = options.report;
    const onChange = (): void => {
      this.generation++;
    };
    this.#documents = new RemoteDocuments({ ...options, onChange, about: 'OpenAPI', fetch: fetchDocuments }, signal);
  }

  hashes(): ReadonlyMap<string, string> {
    return new Map(
      this.#documents
        .all()
        .flatMap(({ content, ...groupVersion }) =>
          content?.hash === undefined ? [] : [[groupVersionPath(groupVersion).slice(1), content.hash]],
        ),
    );
  }

  swagger(): ReturnType<RemoteOpenApiDocuments['swagger']> {
    return this.#documents.all().flatMap(({ content, group, version }) => {
      const stored = content?.swagger;
      return stored === undefined ? [] : [{ group, version, content: () => readContent(stored) }];
    });
  }

  refused(name: string, error: Error): void {
    this.#report(new Error(`OpenAPI of ${name} cannot be merged: ${error.message}`, { cause: error }));
  }
}

async function readContent({ content }: StoredSwagger): Promise<SwaggerContent> {
  return JSON.parse((await decompress(content)).toString()) as SwaggerContent;
}

async function fetchDocuments(request: DocumentRequest<OpenApiDocument>): Promise<OpenApiDocument> {
  return { hash: await fetchHash(request), swagger: await fetchSwagger(request) };
}

async function fetchHash({ groupVersion, get }: DocumentRequest<OpenApiDocument>): Promise<string | undefined> {
  const headers = { accept: 'application/json' };
  const response = await get('/openapi/v3', { headers, maxResponseBytes: maxIndexBytes });
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw new Error(`bad status of /openapi/v3: ${response.status}`);
  const { paths } = (parsedResponse(response) ?? {}) as { paths?: Record<string, { serverRelativeURL?: unknown }> };
  const url = paths?.[groupVersionPath(groupVersion).slice(1)]?.serverRelativeURL;
  const hash = typeof url === 'string' ? URL.parse(url, 'https://x')?.searchParams.get('hash') : undefined;
  return hash && hashPattern.test(hash) ? hash : undefined;
}

async function fetchSwagger(request: DocumentRequest<OpenApiDocument>): Promise<StoredSwagger | undefined> {
  const { groupVersion, known, get } = request;
  const before = known?.swagger;
  const conditional: Record<string, string> = before?.etag === undefined ? {} : { 'if-none-match': before.etag };
  const headers = { accept: 'application/json', ...conditional };
  const response = await get('/openapi/v2', { headers, maxResponseBytes: maxSwaggerBytes });
  if (response.status === 304 && before !== undefined) return before;
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw new Error(`bad status of /openapi/v2: ${response.status}`);
  const fragment = await inTurns(swaggerFragment(parsedResponse(response), groupVersionPath(groupVersion)));
  return { etag: response.headers.etag, content: await compress(JSON.stringify(fragment)) };
}
