import { notAcceptable, type StatusError } from '../meta/status-error.ts';
import { type AcceptClause, parseAccept } from './accept.ts';

/** One form of an answer that the server can give. */
export interface Offer {
  /** Type and subtype, in lower case. */
  readonly mediaType: string;
  /** The kind into which the object is converted; without it, the object as it is. */
  readonly target?: { readonly group: string; readonly version: string; readonly kind: string };
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

/** Picks the form of an answer by the Accept header. Offers are in the server's order of preference. */
export class Negotiator<O extends Offer> {
  readonly #offers: readonly O[];
  readonly #told: string;
  readonly #whenAny: Choice<O>;
  readonly #whenJson: Choice<O> | undefined;
  readonly #remembered = new Map<string, Choice<O> | undefined>();

  /** With `streams` the offers are told to be those of a watch; which one is chosen does not change. */
  constructor(offers: readonly [O, ...O[]], { streams = false }: { streams?: boolean } = {}) {
    this.#offers = offers;
    this.#told = [...new Set(offers.flatMap((offer) => toldType(offer, streams)))].join(', ');
    const plain = offers.filter((offer) => offer.target === undefined);
    const json = plain.find((offer) => offer.mediaType === 'application/json');
    this.#whenAny = { offer: plain[0] ?? offers[0], pretty: false };
    this.#whenJson = json && { offer: json, pretty: false };
  }

  /** Throws the 406 that names the offered media types. */
  choose(accept: string | undefined): Choice<O> {
    const choice = this.find(accept);
    if (choice === undefined) throw this.#refusal();
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
    for (const clause of clauses) {
      const offer = this.#offers.find((candidate) => matches(clause, candidate));
      if (offer !== undefined) return { offer, pretty: clause.parameters.get('pretty') === '1' };
    }
    return undefined;
  }

  #refusal(): StatusError {
    return notAcceptable(`only the following media types are accepted: ${this.#told}`);
  }
}

function toldType({ mediaType, streams: canStream }: Offer, streams: boolean): string[] {
  if (!streams) return [mediaType];
  return canStream ? [`${mediaType};stream=watch`] : [];
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
