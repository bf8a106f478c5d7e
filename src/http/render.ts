import { indentJson } from '../codec/json/index.ts';
import { isPrettyRequested } from '../codec/pretty.ts';
import type { Status } from '../meta/status-error.ts';
import { DecidedError, StatusError } from '../meta/status-error.ts';
import { Status as StatusSchema } from '../schema/meta-types.ts';
import { auditIdOf } from './audit-id.ts';
import type { Exchange, ResponseHeaders } from './exchange.ts';
import type { RequestContext } from './request-context.ts';

/** The headers of every response. */
export function commonHeaders(exchange: Exchange): ResponseHeaders {
  return { 'audit-id': auditIdOf(exchange), 'cache-control': 'no-cache, private' };
}

/** The headers of a response of this media type. */
export function headersOf(exchange: Exchange, mediaType: string): ResponseHeaders {
  const headers = commonHeaders(exchange);
  headers['content-type'] = mediaType;
  return headers;
}

/** The headers of a plain text response. */
export function textHeaders(exchange: Exchange): ResponseHeaders {
  const headers = commonHeaders(exchange);
  headers['content-type'] = 'text/plain; charset=utf-8';
  headers['x-content-type-options'] = 'nosniff';
  return headers;
}

/** The part of a request that is needed to respond. */
export type ResponseContext = Pick<RequestContext, 'exchange' | 'formats' | 'compatibility'>;

/** Responds with a Status in the encoding that the client accepts. A client that accepts none gets indented JSON. */
export function respondStatus(
  { exchange, formats }: Pick<ResponseContext, 'exchange' | 'formats'>,
  status: Status,
  code: number,
): void {
  const choice = formats.documents.find(exchange.header('accept'));
  const { encoding, mediaType } = (choice ?? formats.documents.choose(undefined)).offer;
  const body = encoding.encoder.encode(status, StatusSchema);
  const accepted = choice === undefined || choice.pretty;
  const preferences = { query: exchange.query, userAgent: exchange.header('user-agent'), accepted };
  const pretty = encoding.name === 'json' && isPrettyRequested(preferences);
  exchange.respond(code, headersOf(exchange, mediaType), pretty ? indentJson(body) : body);
}

/** Turns an error into a response. Returns the error to be logged, if any. */
export function respondError(request: ResponseContext, error: unknown): Error | undefined {
  const { exchange } = request;
  if (exchange.responded) {
    // A partial response cannot be revoked. Abort it, so that the client does not mistake it for a complete one.
    exchange.abort();
    return error instanceof StatusError ? undefined : asError(error);
  }
  if (error instanceof StatusError) {
    const isOriginal = error instanceof DecidedError && !request.compatibility[error.decision];
    const { status } = isOriginal ? error.original : error;
    const retryAfter = status.details?.retryAfterSeconds;
    if (retryAfter) exchange.setHeader('retry-after', String(retryAfter));
    respondStatus(request, status, status.code);
    // The original calls some mistakes of clients its own.
    return status.code >= 500 && !isOriginal ? error : undefined;
  }
  const { message } = asError(error);
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 };
  respondStatus(request, status, 500);
  return asError(error);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** Responds with plain text, for paths outside the API, whose clients expect no Status. */
export function respondText(exchange: Exchange, status: number, text: string): void {
  exchange.respond(status, textHeaders(exchange), text);
}
