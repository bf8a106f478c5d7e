import { Negotiator, type Offer } from '../../codec/negotiation.ts';
import { wantsPretty } from '../../codec/pretty.ts';
import { routeMethodNotAllowed, routeNotFound, StatusError } from '../../meta/status-error.ts';
import type { Exchange } from '../exchange.ts';
import { commonHeaders, jsonHeaders, respondText } from '../render.ts';
import { aggregatedList, aggregatedTarget } from './aggregated-list.ts';
import { parseDiscoveryPath } from './discovery-path.ts';
import { JsonDocument } from './document.ts';
import { apiGroup, apiGroupList, apiVersions } from './group-documents.ts';
import { apiResourceList } from './resource-list.ts';
import { rootPaths } from './root-paths.ts';
import type { ServedCatalog } from './served-catalog.ts';
import { type ServedGroup, servedGroups } from './served-groups.ts';
import { type BuildInfo, versionInfo } from './version-info.ts';

export interface DiscoveryOptions {
  readonly catalog: ServedCatalog;
  readonly build: BuildInfo;
  /** The `host:port` that clients are told. Asked for when the first of them wants to know. */
  readonly serverAddress: () => string;
  /** What `/` lists beside discovery and OpenAPI: health checks, metrics and so on. */
  readonly otherPaths: () => readonly string[];
}

const json: Offer = { mediaType: 'application/json', streams: true };
const plainForms = new Negotiator([json]);
const listForms = new Negotiator([json, { ...json, target: aggregatedTarget }]);
const { group, version, kind } = aggregatedTarget;
const aggregatedType = `${json.mediaType};g=${group};v=${version};as=${kind}`;

/** Answers for the paths that say what the server serves. Documents are made on the first request and then kept. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  #generation: number | undefined;
  #groups: readonly ServedGroup[] = [];
  readonly #documents = new Map<string, JsonDocument>();

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** False when the path is none of discovery's. Otherwise it has been answered, or a StatusError is thrown. */
  handle(exchange: Exchange, path: string): boolean {
    const asked = parseDiscoveryPath(path);
    if (asked === undefined) return false;
    this.#refresh();
    switch (asked.document) {
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
        this.#respondGroup(exchange, asked.group);
        break;
      case 'resources':
        this.#respondResources(exchange, asked);
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
  }

  /** Only for keys of documents that exist, so that clients cannot fill the map. */
  #document(key: string, content: () => object): JsonDocument {
    let document = this.#documents.get(key);
    if (document === undefined) {
      document = new JsonDocument(content());
      this.#documents.set(key, document);
    }
    return document;
  }

  #group(name: string): ServedGroup | undefined {
    return this.#groups.find((candidate) => candidate.name === name);
  }

  #respondRoot(exchange: Exchange): void {
    const document = this.#document('/', () => rootPaths(this.#groups, this.#options.otherPaths()));
    exchange.respond(200, jsonHeaders(exchange), document.pretty);
  }

  #respondVersion(exchange: Exchange): void {
    onlyGet(exchange);
    if (plainForms.find(exchange.header('accept')) === undefined) {
      const message = `406: Not Acceptable\n\nAvailable representations: ${json.mediaType}`;
      throw new StatusError({ code: 406, reason: 'NotAcceptable', message, details: {} });
    }
    const document = this.#document('/version', () => versionInfo(this.#options.build));
    exchange.respond(200, jsonHeaders(exchange), document.pretty);
  }

  #respondList(exchange: Exchange, which: 'core' | 'named'): void {
    const choice = listForms.choose(exchange.header('accept'));
    const groups = this.#groups.filter(({ name }) => (name === '') === (which === 'core'));
    if (choice.offer.target !== undefined) {
      const document = this.#document(`aggregated ${which}`, () => aggregatedList(groups));
      respondAggregated(exchange, document, choice.pretty);
      return;
    }
    const document = this.#document(which, () =>
      which === 'core' ? apiVersions(groups[0], this.#options.serverAddress()) : apiGroupList(groups),
    );
    respondDocument(exchange, document, choice.pretty);
  }

  #respondGroup(exchange: Exchange, name: string): void {
    const served = name === '' ? undefined : this.#group(name);
    if (served === undefined) {
      respondText(exchange, 404, '404 page not found\n');
      return;
    }
    const { pretty } = plainForms.choose(exchange.header('accept'));
    const document = this.#document(`group ${name}`, () => apiGroup(served));
    respondDocument(exchange, document, pretty);
  }

  #respondResources(exchange: Exchange, asked: { group: string; version: string }): void {
    const served = this.#group(asked.group);
    if (served === undefined && asked.group !== '') {
      respondText(exchange, 404, '404 page not found\n');
      return;
    }
    const ofVersion = served?.versions.find((candidate) => candidate.version === asked.version);
    if (ofVersion === undefined) throw routeNotFound();
    onlyGet(exchange);
    const { pretty } = plainForms.choose(exchange.header('accept'));
    const key = `resources ${asked.group}/${asked.version}`;
    const document = this.#document(key, () => apiResourceList(asked, ofVersion.definitions));
    respondDocument(exchange, document, pretty);
  }
}

function onlyGet({ method }: Exchange): void {
  if (method !== 'GET') throw routeMethodNotAllowed();
}

function respondDocument(exchange: Exchange, document: JsonDocument, accepted: boolean): void {
  exchange.respond(200, jsonHeaders(exchange), bytesFor(exchange, document, accepted));
}

function respondAggregated(exchange: Exchange, document: JsonDocument, accepted: boolean): void {
  const headers = {
    ...commonHeaders(exchange),
    etag: document.entityTag,
    vary: 'Accept',
    'cache-control': 'public',
  };
  if (exchange.header('if-none-match') === document.entityTag) {
    exchange.respond(304, headers, '');
    return;
  }
  exchange.respond(200, { 'content-type': aggregatedType, ...headers }, bytesFor(exchange, document, accepted));
}

function bytesFor(exchange: Exchange, document: JsonDocument, accepted: boolean): Buffer {
  const pretty = wantsPretty({ query: exchange.query, userAgent: exchange.header('user-agent'), accepted });
  return pretty ? document.pretty : document.compact;
}
