import { randomUUID } from 'node:crypto';
import { jsonText, wantsPretty } from '../codec/pretty.ts';
import type { Status } from '../meta/status-error.ts';
import { StatusError } from '../meta/status-error.ts';
import type { Exchange, ResponseHeaders } from './exchange.ts';
import { statusNegotiator } from './object-negotiation.ts';

/** What every answer has. */
export function commonHeaders(exchange: Exchange): ResponseHeaders {
  return { 'audit-id': exchange.header('audit-id') ?? randomUUID(), 'cache-control': 'no-cache, private' };
}

/** The headers of an answer that is a JSON document. */
export function jsonHeaders(exchange: Exchange): ResponseHeaders {
  const headers = commonHeaders(exchange);
  headers['content-type'] = 'application/json';
  return headers;
}

/** The headers of an answer that is text for people. */
export function textHeaders(exchange: Exchange): ResponseHeaders {
  const headers = commonHeaders(exchange);
  headers['content-type'] = 'text/plain; charset=utf-8';
  headers['x-content-type-options'] = 'nosniff';
  return headers;
}

export function respondStatus(exchange: Exchange, status: Status, code: number): void {
  exchange.respond(code, jsonHeaders(exchange), jsonText(status, { pretty: isPrettyStatus(exchange) }));
}

/** Who accepts no plain form at all gets one for people to read. */
function isPrettyStatus(exchange: Exchange): boolean {
  const choice = statusNegotiator.find(exchange.header('accept'));
  const accepted = choice === undefined || choice.pretty;
  return wantsPretty({ query: exchange.query, userAgent: exchange.header('user-agent'), accepted });
}

/** The one place where an error becomes an answer. Returns what the server's log should hear of, if anything. */
export function respondError(exchange: Exchange, error: unknown): Error | undefined {
  if (exchange.responded) {
    // Half an answer cannot be taken back; the client must not take it for a whole one.
    exchange.abort();
    return error instanceof StatusError ? undefined : asError(error);
  }
  if (error instanceof StatusError) {
    const { status } = error;
    const retryAfter = status.details?.retryAfterSeconds;
    if (retryAfter) exchange.setHeader('retry-after', String(retryAfter));
    respondStatus(exchange, status, status.code);
    return status.code >= 500 ? error : undefined;
  }
  const { message } = asError(error);
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 };
  respondStatus(exchange, status, 500);
  return asError(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** For paths outside the API, where no Status is expected. */
export function respondText(exchange: Exchange, status: number, text: string): void {
  exchange.respond(status, textHeaders(exchange), text);
}
