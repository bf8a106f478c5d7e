import type { Exchange } from '../http/exchange.ts';
import { pageHeaders } from './page-headers.ts';

/** Responds with a JSON document that must not be stored, and sets a cookie if there is one. */
export function respondDocument(exchange: Exchange, document: object, cookie?: string): void {
  // The deadline may have responded meanwhile.
  if (exchange.responded) return;
  const headers = pageHeaders(exchange, 'application/json');
  headers['cache-control'] = 'no-store';
  if (cookie !== undefined) headers['set-cookie'] = cookie;
  exchange.respond(200, headers, `${JSON.stringify(document)}\n`);
}
