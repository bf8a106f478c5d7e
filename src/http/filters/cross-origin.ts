import { createRequire } from 'node:module';
import type { RE2JS as Expression } from 're2js';
import { goQuote } from '../../meta/go-quote.ts';
import { forbiddenPath } from '../../meta/status-error.ts';
import type { Exchange } from '../exchange.ts';
import type { Filter } from '../pipeline.ts';
import { commonHeaders } from '../render.ts';

/** Decides which other origins may use the server from a browser. */
export type AllowedOrigins = (origin: string) => boolean;

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const headers =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Parses the regular expressions of `--cors-allowed-origins`. Throws a RangeError for an invalid one, and for one that
 * does not anchor the start and end of the host: `example.com` would also match `example.com.attacker.net`.
 */
export function parseAllowedOrigins(patterns: readonly string[]): AllowedOrigins {
  const compiled = patterns.map((pattern) => compile(pattern));
  return (origin) => compiled.some((expression) => expression.matcher(origin).find());
}

function compile(pattern: string): Expression {
  if (pattern === '') throw new RangeError('empty value in --cors-allowed-origins');
  const invalid = 'cors-allowed-origins has an invalid regular expression';
  const pinsStart = pattern.includes('^') || pattern.includes('//');
  const pinsEnd = pattern.includes('$') || pattern.includes(':');
  if (!pinsStart || !pinsEnd) {
    throw new RangeError(
      `${invalid}: ${goQuote(pattern)} does not pin to start/end of host in the origin header, as ^https://example\\.com$ does`,
    );
  }
  // Loaded on demand: most servers have no patterns.
  const { RE2JS, RE2JSException } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new RangeError(`${invalid}: ${error.message}`, { cause: error });
  }
}

/**
 * Sets the CORS headers for allowed origins. Rejects requests of other origins that browsers send without a preflight:
 * since a browser attaches its client certificate, any page could open a WebSocket or post a form in the name of its
 * user.
 */
export function crossOrigin(isAllowed: AllowedOrigins): Filter {
  return (context, next) => {
    const { exchange } = context;
    const origin = exchange.header('origin');
    if (origin === undefined || origin === '') return next(context);
    if (isAllowed(origin)) {
      exchange.setHeader('access-control-allow-origin', origin);
      exchange.setHeader('access-control-allow-methods', methods);
      exchange.setHeader('access-control-allow-headers', headers);
      exchange.setHeader('access-control-expose-headers', 'Date');
      exchange.setHeader('access-control-allow-credentials', 'true');
      return exchange.method === 'OPTIONS' ? exchange.respond(204, commonHeaders(exchange), '') : next(context);
    }
    const isUnsafe = exchange.upgrade !== undefined || !safeMethods.has(exchange.method);
    if (isUnsafe && !isSameOrigin(exchange, origin)) {
      throw forbiddenPath(`requests from the origin ${goQuote(origin)} are not allowed (--cors-allowed-origins)`);
    }
    return next(context);
  };
}

/** Every request arrives over https. */
function isSameOrigin(exchange: Exchange, origin: string): boolean {
  const host = exchange.header(':authority') ?? exchange.header('host') ?? '';
  const own = URL.parse(`https://${host}`);
  // An Origin that browsers would not write like this comes from another kind of client.
  return own !== null && own.origin === origin.toLowerCase();
}
