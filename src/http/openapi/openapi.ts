import { Negotiator, type Offer } from '../../codec/negotiation.ts';
import { acceptsGzip } from '../compression/accepts-gzip.ts';
import { entityTag, noneMatchNames } from '../discovery/entity-tag.ts';
import type { ServedCatalog } from '../discovery/served-catalog.ts';
import type { Exchange, ResponseHeaders } from '../exchange.ts';
import { commonHeaders } from '../render.ts';
import type { CompressedDocument, DocumentEncoding } from './compressed-document.ts';
import type { Descriptions } from './descriptions.ts';
import type { DocumentInfo } from './openapi-document.ts';
import { documentUrl, OpenApiDocuments } from './openapi-documents.ts';
import type { ServedMediaTypes } from './operation.ts';
import type { RemoteOpenApiDocuments } from './remote-swagger.ts';

export interface OpenApiOptions {
  readonly catalog: ServedCatalog;
  readonly media: ServedMediaTypes;
  /** See `DocumentScope`. Default: false. */
  readonly servesIssuer?: boolean;
  /** The media types of custom types. */
  readonly customMedia: ServedMediaTypes;
  /** The title of documents about custom types. See `openApiLayout`. */
  readonly customInfo?: DocumentInfo;
  /** Called on the first request for a document. Most servers never need the descriptions. */
  readonly loadDescriptions: () => Promise<Descriptions>;
  /** Identifies the program. See `BuiltInSources`. */
  readonly sourceDigest?: string;
  /** Documents of other servers. By default there are none. */
  readonly remote?: RemoteOpenApiDocuments;
}

interface EncodingOffer extends Offer {
  readonly encoding: DocumentEncoding;
  /** The content type of the response, independent of the name that the client used. */
  readonly contentType: string;
}

/** Protobuf has two names. Older clients use the second. */
function encodingOffers(release: 'v2' | 'v3'): Negotiator<EncodingOffer> {
  const family = `application/com.github.proto-openapi.spec.${release}`;
  const contentType = `${family}.v1.0+protobuf`;
  return new Negotiator<EncodingOffer>([
    { mediaType: 'application/json', encoding: 'json', contentType: 'application/json' },
    { mediaType: contentType, encoding: 'protobuf', contentType },
    { mediaType: `${family}@v1.0+protobuf`, encoding: 'protobuf', contentType },
  ]);
}

const swaggerEncodings = encodingOffers('v2');
const openApiEncodings = encodingOffers('v3');
const documentsPrefix = '/openapi/v3/';
const oneYear = 365 * 24 * 3600 * 1000;

/** Serves `/openapi/v2`, `/openapi/v3` and the documents below it, for any method. */
export class OpenApi {
  readonly #options: OpenApiOptions;
  #documents: OpenApiDocuments | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  isPath(path: string): boolean {
    return path === '/openapi/v2' || path === '/openapi/v3' || path.startsWith(documentsPrefix);
  }

  /** Accepts only OpenAPI paths. */
  async handle(exchange: Exchange, path: string): Promise<void> {
    const documents = this.#documents ?? (await this.#load());
    if (path === '/openapi/v2') await respondSwagger(exchange, documents);
    else if (path === '/openapi/v3') await respondIndex(exchange, documents);
    else await respondDocument(exchange, path.slice(documentsPrefix.length), documents);
  }

  async #load(): Promise<OpenApiDocuments> {
    const { loadDescriptions, ...sources } = this.#options;
    const descriptions = await loadDescriptions();
    this.#documents ??= new OpenApiDocuments({ ...sources, descriptions });
    return this.#documents;
  }
}

async function respondSwagger(exchange: Exchange, documents: OpenApiDocuments): Promise<void> {
  const headers: ResponseHeaders = { ...commonHeaders(exchange), vary: 'Accept-Encoding, Accept' };
  const choice = swaggerEncodings.find(exchange.header('accept'));
  if (choice === undefined) {
    exchange.respond(406, headers, '');
    return;
  }
  const document = await documents.swagger();
  if (respondUnchanged(exchange, headers, document)) return;
  const gzip = acceptsGzip(exchange.header('accept-encoding'));
  if (gzip) headers['content-encoding'] = 'gzip';
  await respondWhole(exchange, headers, { document, offer: choice.offer, gzip });
}

async function respondIndex(exchange: Exchange, documents: OpenApiDocuments): Promise<void> {
  const { body, lastModified } = await documents.index();
  const type = { 'content-type': 'text/plain; charset=utf-8', 'last-modified': lastModified };
  exchange.respond(200, { ...commonHeaders(exchange), ...type }, body);
}

async function respondDocument(exchange: Exchange, name: string, documents: OpenApiDocuments): Promise<void> {
  const headers = commonHeaders(exchange);
  const choice = openApiEncodings.find(exchange.header('accept'));
  if (choice === undefined) {
    exchange.respond(406, { ...headers, vary: 'Accept' }, '');
    return;
  }
  const document = await documents.openApi(name);
  if (document === undefined) {
    exchange.respond(404, headers, '');
    return;
  }
  headers.vary = 'Accept';
  const requestedHash = new URLSearchParams(exchange.query).get('hash') ?? '';
  if (requestedHash !== '' && requestedHash !== document.hash) {
    const target = { etag: entityTag(document.hash), location: documentUrl(name, document.hash) };
    exchange.respond(301, { ...headers, ...target, 'content-type': choice.offer.contentType }, '');
    return;
  }
  if (requestedHash !== '') {
    // The content of this URL never changes.
    headers['cache-control'] = 'public, immutable';
    headers.expires = new Date(Date.now() + oneYear).toUTCString();
  }
  if (respondUnchanged(exchange, headers, document)) return;
  await respondWhole(exchange, headers, { document, offer: choice.offer, gzip: false });
}

/** Responds with 304 and returns true when the client has the current document. Always adds the ETag. */
function respondUnchanged(exchange: Exchange, headers: ResponseHeaders, { hash }: CompressedDocument): boolean {
  headers.etag = entityTag(hash);
  if (!noneMatchNames(exchange.header('if-none-match'), headers.etag)) return false;
  exchange.respond(304, headers, '');
  return true;
}

interface Sending {
  readonly document: CompressedDocument;
  readonly offer: EncodingOffer;
  readonly gzip: boolean;
}

async function respondWhole(
  exchange: Exchange,
  headers: ResponseHeaders,
  { document, offer, gzip }: Sending,
): Promise<void> {
  headers['content-type'] = offer.contentType;
  headers['last-modified'] = document.lastModified;
  const body = gzip ? document.compressed(offer.encoding) : document.bytes(offer.encoding);
  exchange.respond(200, headers, await body);
}
