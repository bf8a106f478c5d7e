import type { Exchange } from '../http/exchange.ts';
import { textHeaders } from '../http/render.ts';

/** Asks the client to come back later. As in kube-apiserver, this is no Status. */
export function respondTooManyRequests(exchange: Exchange, retryAfterSeconds: number): void {
  const headers = { ...textHeaders(exchange), 'retry-after': String(retryAfterSeconds) };
  exchange.respond(429, headers, 'Too many requests, please try again later.\n');
}
