import type { Exchange, ResponseHeaders } from '../http/exchange.ts';
import { headersOf } from '../http/render.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * The headers of all responses below `/console/`: the page may only load from and call this server, and must not be
 * embedded.
 */
export function pageHeaders(exchange: Exchange, type: string): ResponseHeaders {
  return {
    ...headersOf(exchange, type),
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
