import { notAcceptable, StatusError } from '../meta/status-error.ts';
import { type AcceptClause, parseAccept } from './accept.ts';

/** One form of an answer that the server can give. */
export interface Offer {
  /** Type and subtype, in lower case. */
  readonly mediaType: string;
  /** The kind into which the object is converted; without it, the object as it is. */
  readonly target?: { readonly group: string; readonly version: string; readonly kind: string } | undefined;
  /** The form can also be the frames of a watch. */
  readonly streams?: boolean;
}

export interface Choice<O extends Offer> {
  readonly offer: O;
  /** The client asked for indentation by a parameter of the media type. */
  readonly pretty: boolean;
}

/** Clients repeat a handful of headers; the limit only guards against one that makes them up. */
const rememberedHeaders = 64;

export interface RefusalOptions {
  /** What a client is told that accepts nothing of what is offered; the media types of the offers by default. */
  readonly told?: readonly string[];
  /** What is served under the path. A client whose header names none of these is told this instead. */
  readonly served?: readonly string[];
}

/** Picks the form of an answer by the Accept header. Offers are in the server's order of preference. */
export class Negotiator<O extends Offer> {
  readonly #offers: readonly O[];
  readonly #refusals: RefusalOptions;
  readonly #whenAny: Choice<O>;
  readonly #whenJson: Choice<O> | undefined;
  readonly #remembered = new Map<string, Choice<O> | undefined>();

  constructor(offers: readonly [O, ...O[]], refusals: RefusalOptions = {}) {
    this.#offers = offers;
    this.#refusals = refusals;
    const plain = offers.filter((offer) => offer.target === undefined);
    const json = plain.find((offer) => offer.mediaType === 'application/json');
    this.#whenAny = { offer: plain[0] ?? offers[0], pretty: false };
    this.#whenJson = json && { offer: json, pretty: false };
  }

  /** Throws the 406 that names the offered media types. */
  choose(accept: string | undefined): Choice<O> {
    const choice = this.find(accept);
    if (choice === undefined) throw this.#refusal(accept ?? '');
    return choice;
  }

  /** Undefined when nothing is acceptable to the client. */
  find(accept: string | undefined): Choice<O> | undefined {
    if (accept === undefined || accept === '' || accept === '*/*') return this.#whenAny;
    if (accept === 'application/json') return this.#whenJson;
    const known = this.#remembered.get(accept);
    if (known !== undefined || this.#remembered.has(accept)) return known;
    const choice = this.#search(parseAccept(accept));
    if (this.#remembered.size >= rememberedHeaders) this.#remembered.clear();
    this.#remembered.set(accept, choice);
    return choice;
  }

  #search(clauses: readonly AcceptClause[]): Choice<O> | undefined {
    const refusals = clauses.filter(({ quality }) => quality === 0);
    for (const clause of clauses) {
      if (clause.quality === 0) break;
      const refused = (candidate: O) =>
        refusals.some((refusal) => isMoreSpecific(refusal, clause) && matches(refusal, candidate));
      const offer = this.#offers.find((candidate) => matches(clause, candidate) && !refused(candidate));
      if (offer !== undefined) return { offer, pretty: clause.parameters.get('pretty') === '1' };
    }
    return undefined;
  }

  #refusal(accept: string): StatusError {
    const { told = [...new Set(this.#offers.map(({ mediaType }) => mediaType))], served } = this.#refusals;
    if (served !== undefined && !namesOneOf(accept, served)) return nothingServed(served);
    return notAcceptable(`only the following media types are accepted: ${told.join(', ')}`);
  }
}

// `application/json;q=0` takes JSON out of `*/*`, but `*/*;q=0` does not take it out of `application/json`.
function isMoreSpecific(clause: AcceptClause, other: AcceptClause): boolean {
  return specificity(clause) > specificity(other);
}

function specificity({ type, subtype }: AcceptClause): number {
  return (type === '*' ? 0 : 1) + (subtype === '*' ? 0 : 1);
}

function namesOneOf(accept: string, served: readonly string[]): boolean {
  return accept.split(',').some((clause) => served.includes(clause.split(';', 1)[0]!.trim().toLowerCase()));
}

/** For a client that asks for something that is foreign to the path. */
export function nothingServed(served: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${served.join(', ')}`;
  return new StatusError({ code: 406, reason: 'NotAcceptable', message, details: {} });
}

function matches({ type, subtype, parameters }: AcceptClause, { mediaType, target, streams }: Offer): boolean {
  const slash = mediaType.indexOf('/');
  if (type !== '*' && type !== mediaType.slice(0, slash)) return false;
  if (subtype !== '*' && subtype !== mediaType.slice(slash + 1)) return false;
  const stream = parameters.get('stream');
  if (stream !== undefined && !(streams && stream === 'watch')) return false;
  return (
    parameters.get('as') === target?.kind &&
    parameters.get('g') === target?.group &&
    parameters.get('v') === target?.version
  );
}

/** The media type of a body, without parameters and in lower case. A body without a type is JSON. */
export function requestMediaType(contentType: string | undefined): string {
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return 'application/json';
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
