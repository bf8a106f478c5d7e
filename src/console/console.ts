import type { Authenticator, Credentials } from '../authn/index.ts';
import { acceptsGzip } from '../http/compression/accepts-gzip.ts';
import { noneMatchNames } from '../http/discovery/entity-tag.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Filter } from '../http/pipeline.ts';
import { respondText } from '../http/render.ts';
import { routeMethodNotAllowed } from '../meta/status-error.ts';
import { isLocalRequest } from './is-local-request.ts';
import { LinkEndpoint, type LinkEndpointOptions } from './link-endpoint.ts';
import { type PageFile, PageFiles } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';
import { linksPath, root, sessionPath } from './paths.ts';
import { RequestOrigins } from './request-origins.ts';
import { SessionAuthenticator, type SessionAuthenticatorOptions } from './session-authenticator.ts';
import { SessionEndpoint, type SessionEndpointOptions } from './session-endpoint.ts';
import { visitors } from './visitor.ts';

/** Names of files below this path contain a hash of their content. */
const hashed = 'assets/';
const notBuilt = 'The pages of the console are missing: npm run build makes them.\n';

export interface ConsoleOptions
  extends Pick<SessionEndpointOptions, 'signIns' | 'onSignIn'>,
    Pick<SessionAuthenticatorOptions, 'authenticate'>,
    Pick<LinkEndpointOptions, 'isIdentifying'> {
  /** The directory of the built pages. */
  readonly directory: string;
  /** Only local requests get the console; others get neither pages nor sessions. */
  readonly isLocalOnly: boolean;
  /** The serving certificate (PEM), which has the names of the server. */
  readonly servingCert: () => string;
}

/** The pages below `/console/`, and the sessions of their users. */
export class Console {
  /** Comes before authentication: the files of the pages need no user. */
  readonly pages: Filter;
  /** Comes after authorization, like everything that depends on the user. */
  readonly endpoints: Filter;
  /** Runs before the other authenticators, because an explicit sign-in takes precedence. */
  readonly authenticator: Authenticator;
  /** Runs after the other authenticators. */
  readonly visitors: Authenticator;
  readonly #origins: RequestOrigins;
  readonly #files: PageFiles;

  private constructor(files: PageFiles, options: ConsoleOptions) {
    const { signIns, authenticate, isIdentifying, isLocalOnly, onSignIn } = options;
    this.#files = files;
    this.#origins = new RequestOrigins(options.servingCert);
    const isServed = (request: Pick<Credentials, 'connection' | 'header' | 'rawHeaders'>): boolean =>
      !isLocalOnly || isLocalRequest(request);
    const authenticator = new SessionAuthenticator({ signIns, authenticate, origins: this.#origins });
    this.authenticator = {
      // Checks the cookie first: only browsers send one, and checking the origin of a request is expensive.
      authenticate: (credentials) =>
        credentials.header('cookie') !== undefined && isServed(credentials)
          ? authenticator.authenticate(credentials)
          : undefined,
    };
    this.visitors = visitors(isServed);
    this.pages = (context, next) => {
      const { exchange } = context;
      const { path } = context.info;
      if (!isPage(exchange, path) || !isServed(exchange)) return next(context);
      return path.startsWith(root) ? this.#servePage(exchange, path.slice(root.length)) : this.#redirect(exchange);
    };
    const session = new SessionEndpoint({ signIns, authenticator, onSignIn });
    const links = new LinkEndpoint({ signIns, authenticator, isIdentifying });
    this.endpoints = (context, next) => {
      const { exchange } = context;
      const { path } = context.info;
      if (!path.startsWith(root) || !isServed(exchange)) return next(context);
      const own = this.#origins.check(exchange);
      if (path === sessionPath) return session.handle(context, own);
      if (path === linksPath) return links.handle(context);
      throw routeMethodNotAllowed();
    };
  }

  static async open(options: ConsoleOptions): Promise<Console> {
    return new Console(await PageFiles.open(options.directory), options);
  }

  #redirect(exchange: Exchange): void {
    this.#origins.checkPage(exchange);
    exchange.respond(302, { ...pageHeaders(exchange, 'text/plain; charset=utf-8'), location: root }, '');
  }

  #servePage(exchange: Exchange, name: string): Promise<void> | void {
    this.#origins.checkPage(exchange);
    const isHashed = name.startsWith(hashed);
    // The page itself interprets all other paths.
    const file = this.#files.find(name) ?? (isHashed ? undefined : this.#files.find('index.html'));
    if (file === undefined) return respondText(exchange, 404, isHashed ? '404 page not found\n' : notBuilt);
    const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    return file.then((found) => respondFile(exchange, found, cacheControl));
  }
}

/** Whether the request is for a file of the pages, or for where they are. */
function isPage(exchange: Exchange, path: string): boolean {
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') return false;
  if (path.startsWith(root)) return path !== sessionPath && path !== linksPath;
  return path === '/console' || (path === '/' && acceptsPage(exchange));
}

/** Clients of the API do not accept HTML. */
function acceptsPage(exchange: Exchange): boolean {
  return exchange.method === 'GET' && (exchange.header('accept') ?? '').includes('text/html');
}

function respondFile(exchange: Exchange, { type, content, gzip, tag }: PageFile, cacheControl: string): void {
  // The deadline may have responded meanwhile.
  if (exchange.responded) return;
  const headers = pageHeaders(exchange, type);
  headers['cache-control'] = cacheControl;
  // Weak, because it also identifies the compressed form.
  headers.etag = `W/${tag}`;
  headers.vary = 'Accept-Encoding';
  if (noneMatchNames(exchange.header('if-none-match'), tag)) {
    exchange.respond(304, headers, '');
    return;
  }
  const isCompressed = gzip !== undefined && acceptsGzip(exchange.header('accept-encoding'));
  if (isCompressed) headers['content-encoding'] = 'gzip';
  exchange.respond(200, headers, isCompressed ? gzip : content);
}
