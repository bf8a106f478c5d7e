import { indentJson } from '../../codec/json/index.ts';
import type { Status } from '../../meta/status-error.ts';
import { Status as StatusSchema } from '../../schema/meta-types.ts';
import type { Exchange } from '../exchange.ts';
import { headersOf } from '../render.ts';
import type { OutputFormat } from './output-format.ts';

export interface SuccessResponse {
  /** The status code of the response. The Status may state it as well. */
  readonly code: number;
  readonly status: Status;
}

/**
 * Responds with the Status of a success, in the encoding that the client negotiated. A Status has no other
 * representations, so it is not converted.
 */
export function respondSuccess(
  exchange: Exchange,
  { encoding, mediaType, pretty }: OutputFormat,
  { code, status }: SuccessResponse,
): void {
  const body = encoding.encoder.encode(status, StatusSchema);
  exchange.respond(code, headersOf(exchange, mediaType), pretty ? indentJson(body) : body);
}
