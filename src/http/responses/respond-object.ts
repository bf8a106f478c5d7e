import { indentJson } from '../../codec/json/index.ts';
import type { Exchange } from '../exchange.ts';
import { headersOf } from '../render.ts';
import type { OutputFormat } from './output-format.ts';
import { readObject } from './read-object.ts';

/** A response that consists of one object. */
export interface ObjectResponse {
  readonly status: number;
  /** The stored JSON document, with its trailing line feed. */
  readonly document: Buffer;
}

/** Responds in the output format that the client negotiated. */
export function respondObject(exchange: Exchange, format: OutputFormat, { status, document }: ObjectResponse): void {
  const body = bodyOf(document, format);
  exchange.respond(status, headersOf(exchange, format.mediaType), format.pretty ? indentJson(body) : body);
}

function bodyOf(document: Buffer, { encoding, representation, type }: OutputFormat): Buffer {
  if (representation === undefined) return encoding.object(document, type);
  return encoding.encoder.encode(representation.one(readObject(document)), representation.schemas.one);
}
