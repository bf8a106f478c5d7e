import type { Environment } from '@marcbachmann/cel-js';
import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { defineFunctions, isParsable } from './define-functions.ts';

const syntax = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?]*))?([^?]*)(?:\?(.*))?$/s;
const badEscape = /%(?![0-9a-fA-F]{2})/;
const badCharacter = /[\x00-\x20\x7f]/;
const authority = /^(?:[^@]*@)?(\[[0-9a-fA-F:.%\w]*\]|[^:[\]@]*)(?::([0-9]*))?$/;

/** A URL as parsed by Go's net/url, without normalization. */
class CelUrl {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;

  /** Accepts only absolute URLs and absolute paths. Throws a `CelError` otherwise. */
  constructor(text: string) {
    const [, scheme = '', host = '', path = '', query = ''] = syntax.exec(text) ?? [];
    const isAbsolute = scheme === '' ? host === '' && path.startsWith('/') : host !== '' || path.startsWith('/');
    const [, hostname, port = ''] = authority.exec(host) ?? [];
    if (!isAbsolute || badCharacter.test(text) || badEscape.test(host + path) || hostname === undefined) {
      throw new CelError(
        `URL parse error during conversion from string: parse ${goQuote(text)}: invalid URI for request`,
      );
    }
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.host = host.replace(/^[^@]*@/, '');
    this.hostname = hostname.replace(/^\[(.*)\]$/, '$1');
    this.port = port;
    this.path = path;
    this.query = query;
  }
}

/** `url()`, `isURL()` and the functions of URLs. */
export function registerUrls(environment: Environment): void {
  environment.registerType('kubernetes.URL', CelUrl);
  environment.registerOperator('kubernetes.URL == kubernetes.URL', (a: CelUrl, b: CelUrl) => a.text === b.text);
  defineFunctions(environment, {
    'url(string): kubernetes.URL': (text: string) => new CelUrl(text),
    'isURL(string): bool': isParsable((text) => new CelUrl(text)),
    'string(kubernetes.URL): string': (url: CelUrl) => url.text,
    'kubernetes.URL.getScheme(): string': (url: CelUrl) => url.scheme,
    'kubernetes.URL.getHost(): string': (url: CelUrl) => url.host,
    'kubernetes.URL.getHostname(): string': (url: CelUrl) => url.hostname,
    'kubernetes.URL.getPort(): string': (url: CelUrl) => url.port,
    'kubernetes.URL.getEscapedPath(): string': (url: CelUrl) => url.path,
    'kubernetes.URL.getQuery(): map<string, list<string>>': queryOf,
  });
}

function queryOf(url: CelUrl): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(url.query)) {
    const values = query.get(key);
    if (values === undefined) query.set(key, [value]);
    else values.push(value);
  }
  return query;
}
