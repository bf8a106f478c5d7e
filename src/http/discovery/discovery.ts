import type { Choice, Negotiator, Offer } from '../../codec/negotiation.ts';
import { isPrettyRequested } from '../../codec/pretty.ts';
import { routeMethodNotAllowed, routeNotFound } from '../../meta/status-error.ts';
import {
  APIGroup,
  APIGroupDiscoveryList,
  APIGroupList,
  APIResourceList,
  APIVersions,
} from '../../schema/meta-types.ts';
import type { StructSchema } from '../../schema/model.ts';
import type { Exchange } from '../exchange.ts';
import type { ObjectFormats, ObjectOffer } from '../object-formats.ts';
import { commonHeaders, headersOf, respondText } from '../render.ts';
import type { ObjectEncoding } from '../responses/object-encoding.ts';
import { aggregatedList, aggregatedTarget } from './aggregated-list.ts';
import { parseDiscoveryPath } from './discovery-path.ts';
import { DiscoveryDocument } from './document.ts';
import { apiGroup, apiGroupList, apiVersions } from './group-documents.ts';
import { apiResourceList } from './resource-list.ts';
import { isCustom, type ServedCatalog } from './served-catalog.ts';
import { byText, type ServedGroup, servedGroups } from './served-groups.ts';
import { type BuildInfo, versionInfo } from './version-info.ts';

export interface DiscoveryOptions {
  readonly catalog: ServedCatalog;
  readonly build: BuildInfo;
  readonly formats: ObjectFormats;
  /** The `host:port` that documents announce. Called on the first request for it. */
  readonly serverAddress: () => string;
  /** The paths that `/` lists besides discovery and OpenAPI: health checks, metrics and so on. */
  readonly otherPaths: () => readonly string[];
  /** Called when the documents are rebuilt, because the served types have changed. */
  readonly onRefreshed?: () => void;
}

const ownPaths = ['/api', '/apis', '/apis/', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];
const jsonType = 'application/json';
const { group, version, kind } = aggregatedTarget;
const aggregatedParameters = `;g=${group};v=${version};as=${kind}`;

/** Serves the paths that describe what the server serves. Documents are built on the first request and cached. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  #generation: number | undefined;
  #groups: readonly ServedGroup[] = [];
  readonly #documents = new Map<string, DiscoveryDocument>();
  readonly #listNegotiator: Negotiator<ObjectOffer>;
  readonly #versionNegotiator: Negotiator<Offer>;
  /** Every document is available in JSON, and its ETag is computed from it. */
  readonly #json: ObjectEncoding;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    const { formats } = options;
    const [first, ...others] = formats.plainOffers;
    this.#json = first.encoding;
    this.#versionNegotiator = formats.negotiator([{ mediaType: jsonType }], { served: [jsonType] });
    this.#listNegotiator = formats.negotiator<ObjectOffer>(
      [first, ...others, ...formats.plainOffers.map((offer) => ({ ...offer, target: aggregatedTarget }))],
      { listed: formats.types, served: formats.types },
    );
  }

  /** Returns false for a path outside discovery. Otherwise it has responded, or throws a StatusError. */
  handle(exchange: Exchange, path: string): boolean {
    const requested = parseDiscoveryPath(path);
    if (requested === undefined) return false;
    this.#refresh();
    switch (requested.document) {
      case 'root':
        this.#respondRoot(exchange);
        break;
      case 'version':
        this.#respondVersion(exchange);
        break;
      case 'coreVersions':
        onlyGet(exchange);
        this.#respondList(exchange, 'core');
        break;
      case 'groups':
        this.#respondList(exchange, 'named');
        break;
      case 'group':
        this.#respondGroup(exchange, requested.group);
        break;
      case 'resources':
        this.#respondResources(exchange, requested);
        break;
    }
    return true;
  }

  #refresh(): void {
    const { catalog } = this.#options;
    if (this.#generation === catalog.generation) return;
    this.#generation = catalog.generation;
    this.#groups = servedGroups(catalog);
    this.#documents.clear();
    this.#options.onRefreshed?.();
  }

  /** Called only with keys of documents that exist, so that clients cannot fill the map. */
  #document(key: string, content: () => object, schema?: StructSchema): DiscoveryDocument {
    let document = this.#documents.get(key);
    if (document === undefined) {
      document = new DiscoveryDocument(content(), schema);
      this.#documents.set(key, document);
    }
    return document;
  }

  #group(name: string): ServedGroup | undefined {
    return this.#groups.find((candidate) => candidate.name === name);
  }

  #respondRoot(exchange: Exchange): void {
    const document = this.#document('/', () => rootPaths(this.#groups, this.#options.otherPaths()));
    exchange.respond(200, headersOf(exchange, jsonType), document.indented(this.#json));
  }

  #respondVersion(exchange: Exchange): void {
    onlyGet(exchange);
    this.#versionNegotiator.choose(exchange.header('accept'));
    const document = this.#document('/version', () => versionInfo(this.#options.build));
    exchange.respond(200, headersOf(exchange, jsonType), document.indented(this.#json));
  }

  #respondList(exchange: Exchange, which: 'core' | 'named'): void {
    const choice = this.#listNegotiator.choose(exchange.header('accept'));
    const groups = this.#groups.filter(({ name }) => (name === '') === (which === 'core'));
    if (choice.offer.target !== undefined) {
      const content = (): object => aggregatedList(groups);
      this.#respondAggregated(exchange, this.#document(`aggregated ${which}`, content, APIGroupDiscoveryList), choice);
      return;
    }
    const document =
      which === 'core'
        ? this.#document(which, () => apiVersions(groups[0], this.#options.serverAddress()), APIVersions)
        : this.#document(which, () => apiGroupList(groups), APIGroupList);
    respondDocument(exchange, document, choice);
  }

  #respondGroup(exchange: Exchange, name: string): void {
    const served = name === '' ? undefined : this.#group(name);
    if (served === undefined) {
      respondText(exchange, 404, '404 page not found\n');
      return;
    }
    const choice = this.#options.formats.documents.choose(exchange.header('accept'));
    respondDocument(
      exchange,
      this.#document(`group ${name}`, () => apiGroup(served), APIGroup),
      choice,
    );
  }

  #respondResources(exchange: Exchange, requested: { group: string; version: string }): void {
    const served = this.#group(requested.group);
    const ofVersion = served?.versions.find((candidate) => candidate.version === requested.version);
    if (ofVersion === undefined) {
      if (requested.group === '' || (served !== undefined && !isCustomGroup(served))) throw routeNotFound();
      respondText(exchange, 404, '404 page not found\n');
      return;
    }
    // The lists of custom types answer any method like GET.
    if (!ofVersion.definitions.every(isCustom)) onlyGet(exchange);
    const choice = this.#options.formats.documents.choose(exchange.header('accept'));
    const key = `resources ${requested.group}/${requested.version}`;
    const content = (): object => apiResourceList(requested, ofVersion.definitions);
    respondDocument(exchange, this.#document(key, content, APIResourceList), choice);
  }

  #respondAggregated(exchange: Exchange, document: DiscoveryDocument, choice: Choice<ObjectOffer>): void {
    const etag = document.entityTag();
    const headers = { ...commonHeaders(exchange), etag, vary: 'Accept', 'cache-control': 'public' };
    if (exchange.header('if-none-match') === etag) {
      exchange.respond(304, headers, '');
      return;
    }
    const mediaType = `${choice.offer.mediaType}${aggregatedParameters}`;
    exchange.respond(200, { 'content-type': mediaType, ...headers }, bytesFor(exchange, document, choice));
  }
}

function isCustomGroup({ versions }: ServedGroup): boolean {
  return versions.every(({ definitions }) => definitions.every(isCustom));
}

function onlyGet({ method }: Exchange): void {
  if (method !== 'GET') throw routeMethodNotAllowed();
}

function respondDocument(exchange: Exchange, document: DiscoveryDocument, choice: Choice<ObjectOffer>): void {
  exchange.respond(200, headersOf(exchange, choice.offer.mediaType), bytesFor(exchange, document, choice));
}

function bytesFor(exchange: Exchange, document: DiscoveryDocument, { offer, pretty }: Choice<ObjectOffer>): Buffer {
  const { encoding } = offer;
  const requested = { query: exchange.query, userAgent: exchange.header('user-agent'), accepted: pretty };
  return encoding.name === 'json' && isPrettyRequested(requested) ? document.indented(encoding) : document.in(encoding);
}

/** The document at `/`: all paths outside the resources. `others` are the paths that other handlers serve. */
function rootPaths(groups: readonly ServedGroup[], others: readonly string[]): object {
  const served = groups.flatMap(({ name, versions }) => {
    const base = name === '' ? '/api' : `/apis/${name}`;
    return [base, ...versions.map(({ version }) => `${base}/${version}`)];
  });
  return { paths: [...new Set([...ownPaths, ...served, ...others])].sort(byText) };
}
