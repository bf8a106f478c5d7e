import type { Exchange } from '../http/exchange.ts';
import { textHeaders } from '../http/render.ts';

/** Responds with 429 and `Retry-After`. As in kube-apiserver, the body is not a Status. */
export function respondTooManyRequests(exchange: Exchange, retryAfterSeconds: number): void {
  const headers = { ...textHeaders(exchange), 'retry-after': String(retryAfterSeconds) };
  exchange.respond(429, headers, 'Too many requests, please try again later.\n');
}
