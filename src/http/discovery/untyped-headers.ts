import type { Exchange, ResponseHeaders } from '../exchange.ts';
import { jsonHeaders } from '../render.ts';

/** What every answer has, for one that has no body or one of another type than JSON. */
export function untypedHeaders(exchange: Exchange): ResponseHeaders {
  const headers = jsonHeaders(exchange);
  delete headers['content-type'];
  return headers;
}
