import { indentJson } from '../codec/json/index.ts';
import { wantsPretty } from '../codec/pretty.ts';
import type { Status } from '../meta/status-error.ts';
import { StatusError } from '../meta/status-error.ts';
import { Status as StatusSchema } from '../schema/meta-types.ts';
import { auditIdOf } from './audit-id.ts';
import type { Exchange, ResponseHeaders } from './exchange.ts';
import type { RequestContext } from './request-context.ts';

/** What every answer has. */
export function commonHeaders(exchange: Exchange): ResponseHeaders {
  return { 'audit-id': auditIdOf(exchange), 'cache-control': 'no-cache, private' };
}

/** The headers of an answer that is a document of this type. */
export function headersOf(exchange: Exchange, mediaType: string): ResponseHeaders {
  const headers = commonHeaders(exchange);
  headers['content-type'] = mediaType;
  return headers;
}

/** The headers of an answer that is text for people. */
export function textHeaders(exchange: Exchange): ResponseHeaders {
  const headers = commonHeaders(exchange);
  headers['content-type'] = 'text/plain; charset=utf-8';
  headers['x-content-type-options'] = 'nosniff';
  return headers;
}

/** A request that can be answered, whatever else is known of it. */
export type Answerable = Pick<RequestContext, 'exchange' | 'forms'>;

/** In the encoding that the client wants. Who accepts no plain form at all gets one for people to read. */
export function respondStatus({ exchange, forms }: Answerable, status: Status, code: number): void {
  const choice = forms.documents.find(exchange.header('accept'));
  const { encoding, mediaType } = (choice ?? forms.documents.choose(undefined)).offer;
  const body = encoding.encoder.encode(status, StatusSchema);
  const accepted = choice === undefined || choice.pretty;
  const asked = { query: exchange.query, userAgent: exchange.header('user-agent'), accepted };
  const pretty = encoding.name === 'json' && wantsPretty(asked);
  exchange.respond(code, headersOf(exchange, mediaType), pretty ? indentJson(body) : body);
}

/** The one place where an error becomes an answer. Returns what the server's log should hear of, if anything. */
export function respondError(request: Answerable, error: unknown): Error | undefined {
  const { exchange } = request;
  if (exchange.responded) {
    // Half an answer cannot be taken back; the client must not take it for a whole one.
    exchange.abort();
    return error instanceof StatusError ? undefined : asError(error);
  }
  if (error instanceof StatusError) {
    const { status } = error;
    const retryAfter = status.details?.retryAfterSeconds;
    if (retryAfter) exchange.setHeader('retry-after', String(retryAfter));
    respondStatus(request, status, status.code);
    return status.code >= 500 ? error : undefined;
  }
  const { message } = asError(error);
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 };
  respondStatus(request, status, 500);
  return asError(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** For paths outside the API, where no Status is expected. */
export function respondText(exchange: Exchange, status: number, text: string): void {
  exchange.respond(status, textHeaders(exchange), text);
}
