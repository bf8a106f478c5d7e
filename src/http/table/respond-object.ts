import { encodeJson, indentJson } from '../../codec/json/index.ts';
import type { Exchange } from '../exchange.ts';
import { jsonHeaders } from '../render.ts';
import type { AnswerForm } from './answer-form.ts';
import { readObject } from './read-object.ts';

/** An answer that is about one object. */
export interface ObjectAnswer {
  readonly status: number;
  /** The object as it is, with a line feed at its end. */
  readonly document: Buffer;
}

/** Answers in the form that the client wants. */
export function respondObject(exchange: Exchange, form: AnswerForm, { status, document }: ObjectAnswer): void {
  const { representation, pretty } = form;
  const body =
    representation === undefined ? document : Buffer.from(`${encodeJson(representation.one(readObject(document)))}\n`);
  exchange.respond(status, jsonHeaders(exchange), pretty ? indentJson(body) : body);
}
