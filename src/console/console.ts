import type { Authenticator } from '../authn/index.ts';
import { acceptsGzip } from '../http/compression/accepts-gzip.ts';
import { noneMatchNames } from '../http/discovery/entity-tag.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Filter } from '../http/pipeline.ts';
import { respondText } from '../http/render.ts';
import type { RequestContext } from '../http/request-context.ts';
import { routeMethodNotAllowed, unauthorized } from '../meta/status-error.ts';
import { isLocalRequest } from './is-local-request.ts';
import { type PageFile, PageFiles } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';
import { RequestOrigins } from './request-origins.ts';
import { SessionAuthenticator } from './session-authenticator.ts';
import { SessionEndpoint, type SessionEndpointOptions } from './session-endpoint.ts';
import type { SignIns } from './sign-ins.ts';

const root = '/console/';
/** The path where clients of the API request links that sign browsers in. */
const linksPath = '/console/links';
/** Names of files below this path contain a hash of their content. */
const hashed = 'assets/';
const notBuilt = 'The pages of the console are missing: npm run build makes them.\n';

export interface ConsoleOptions
  extends Pick<SessionEndpointOptions, 'signIns' | 'authenticate' | 'userOfToken' | 'onSignIn'> {
  /** The directory of the built pages. */
  readonly directory: string;
  /** Only local requests get the console; others get neither pages nor sessions. */
  readonly isLocalOnly: boolean;
  /** The serving certificate (PEM), which has the names of the server. */
  readonly servingCert: () => string;
}

/** The pages below `/console/`, and the sessions of their users. */
export class Console {
  /** Comes before authentication: pages need no user. */
  readonly filter: Filter;
  /** Runs before the other authenticators, because an explicit sign-in takes precedence. */
  readonly authenticator: Authenticator;
  readonly #signIns: SignIns;
  readonly #origins: RequestOrigins;
  readonly #files: PageFiles;
  readonly #session: SessionEndpoint;
  readonly #authenticate: ConsoleOptions['authenticate'];

  private constructor(files: PageFiles, { servingCert, isLocalOnly, ...identity }: ConsoleOptions) {
    const { signIns, userOfToken } = identity;
    this.#signIns = signIns;
    this.#files = files;
    this.#authenticate = identity.authenticate;
    this.#origins = new RequestOrigins(servingCert);
    const authenticator = new SessionAuthenticator({ signIns, userOfToken, origins: this.#origins });
    this.authenticator = isLocalOnly
      ? {
          // Checks the cookie first: only browsers send one, and checking the origin of a request is expensive.
          authenticate: (credentials) =>
            credentials.header('cookie') !== undefined && isLocalRequest(credentials)
              ? authenticator.authenticate(credentials)
              : undefined,
        }
      : authenticator;
    this.#session = new SessionEndpoint({ ...identity, authenticator });
    this.filter = (context, next) => {
      const { exchange } = context;
      const { path } = context.info;
      if (isLocalOnly && isPath(path) && !isLocalRequest(exchange)) return next(context);
      if (path === `${root}session`) return this.#session.handle(context, this.#origins.check(exchange));
      if (path === linksPath) return this.#makeLink(context);
      if (path.startsWith(root)) return this.#servePage(exchange, path.slice(root.length));
      if (path === '/console' || (path === '/' && acceptsPage(exchange))) return this.#redirect(exchange);
      return next(context);
    };
  }

  static async open(options: ConsoleOptions): Promise<Console> {
    return new Console(await PageFiles.open(options.directory), options);
  }

  /** Responds with a sign-in link for the user of the request. */
  async #makeLink(context: RequestContext): Promise<void> {
    const { exchange } = context;
    if (exchange.method !== 'POST') throw routeMethodNotAllowed();
    this.#origins.check(exchange);
    const user = await this.#authenticate(context);
    if (user.groups.includes('system:unauthenticated')) throw unauthorized();
    const { token, expiresAt } = await this.#signIns.makeLink(user);
    const document = { path: signInPath(token), expiresAt: new Date(expiresAt).toISOString() };
    const headers = { ...pageHeaders(exchange, 'application/json'), 'cache-control': 'no-store' };
    if (!exchange.responded) exchange.respond(200, headers, `${JSON.stringify(document)}\n`);
  }

  #redirect(exchange: Exchange): void {
    this.#origins.checkPage(exchange);
    exchange.respond(302, { ...pageHeaders(exchange, 'text/plain; charset=utf-8'), location: root }, '');
  }

  #servePage(exchange: Exchange, name: string): Promise<void> | void {
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw routeMethodNotAllowed();
    this.#origins.checkPage(exchange);
    const isHashed = name.startsWith(hashed);
    // The page itself interprets all other paths.
    const file = this.#files.find(name) ?? (isHashed ? undefined : this.#files.find('index.html'));
    if (file === undefined) return respondText(exchange, 404, isHashed ? '404 page not found\n' : notBuilt);
    const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    return file.then((found) => respondFile(exchange, found, cacheControl));
  }
}

/** Whether the console serves the path. */
function isPath(path: string): boolean {
  return path === '/' || path.startsWith('/console');
}

/**
 * The path of the page with the token of a link. Browsers do not send the fragment (after `#`), so it does not appear
 * in logs.
 */
export function signInPath(token: string): string {
  return `${root}#token=${token}`;
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
