import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { goQuote } from '../meta/go-quote.ts';
import { forbiddenPath, type StatusError } from '../meta/status-error.ts';

/** The part of a request that identifies its origin. */
export interface RequestHeaders {
  header(name: string): string | undefined;
}

/**
 * Refuses cross-site requests. Browsers send cookies to every site with the same name or address, so the host must be a
 * name of this server (to prevent DNS rebinding), and the page must have the origin of the server.
 */
export class RequestOrigins {
  readonly #servingCert: () => string;
  #parsed: { readonly pem: string; readonly certificate: X509Certificate } | undefined;

  /** The names of the server are those of its serving certificate (PEM). */
  constructor(servingCert: () => string) {
    this.#servingCert = servingCert;
  }

  /** The origin of this server as used by the browser. Throws a 403 for an unknown host or another origin. */
  check(request: RequestHeaders): URL {
    const own = this.#ownUrl(request);
    const origin = request.header('origin');
    if (origin !== undefined && origin !== own.origin) throw foreign(origin);
    const site = request.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign(site);
    return own;
  }

  /** Like `check`, for pages: a link on another site may lead to them, but no frame, script or image. */
  checkPage(request: RequestHeaders): URL {
    const isNavigation =
      request.header('sec-fetch-mode') === 'navigate' && request.header('sec-fetch-dest') === 'document';
    if (isNavigation && request.header('origin') === undefined) return this.#ownUrl(request);
    return this.check(request);
  }

  #ownUrl(request: RequestHeaders): URL {
    const host = request.header(':authority') ?? request.header('host') ?? '';
    const url = URL.parse(`https://${host}`);
    // The URL must consist of the host and port only.
    if (url === null || url.href !== `${url.origin}/` || !this.#isOwnName(url.hostname)) {
      throw forbiddenPath(`${goQuote(host)} is not a name of this server`);
    }
    return url;
  }

  /** An address always belongs to the server: DNS cannot make it point elsewhere. */
  #isOwnName(name: string): boolean {
    if (name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
    const pem = this.#servingCert();
    if (this.#parsed?.pem !== pem) this.#parsed = { pem, certificate: new X509Certificate(pem) };
    return this.#parsed.certificate.checkHost(name) !== undefined;
  }
}

function foreign(origin: string): StatusError {
  return forbiddenPath(`the console does not answer requests of other origins: ${goQuote(origin)}`);
}
