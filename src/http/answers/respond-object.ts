import { indentJson } from '../../codec/json/index.ts';
import type { Exchange } from '../exchange.ts';
import { headersOf } from '../render.ts';
import type { AnswerForm } from './answer-form.ts';
import { readObject } from './read-object.ts';

/** A response that consists of one object. */
export interface ObjectAnswer {
  readonly status: number;
  /** The stored JSON document, with its trailing line feed. */
  readonly document: Buffer;
}

/** Responds in the output format that the client negotiated. */
export function respondObject(exchange: Exchange, form: AnswerForm, { status, document }: ObjectAnswer): void {
  const body = bodyOf(document, form);
  exchange.respond(status, headersOf(exchange, form.mediaType), form.pretty ? indentJson(body) : body);
}

function bodyOf(document: Buffer, { encoding, representation, type }: AnswerForm): Buffer {
  if (representation === undefined) return encoding.whole(document, type);
  return encoding.encoder.encode(representation.one(readObject(document)), representation.schemas.one);
}
