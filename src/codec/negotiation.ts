import { notAcceptable, StatusError } from '../meta/status-error.ts';
import { type AcceptClause, parseAccept, parseAcceptLiterally } from './accept.ts';

/** A representation of a response that the server offers. */
export interface Offer {
  /** Type and subtype, in lowercase. */
  readonly mediaType: string;
  /** The kind into which the object is converted. Without it, the object is not converted. */
  readonly target?: { readonly group: string; readonly version: string; readonly kind: string } | undefined;
  /** Whether a watch can use this representation. */
  readonly streams?: boolean;
}

export interface Choice<O extends Offer> {
  readonly offer: O;
  /** The client requested indentation with a media type parameter. */
  readonly pretty: boolean;
}

/** Clients repeat a few headers. The limit protects against clients that keep sending new ones. */
const maxCachedHeaders = 64;

export interface NegotiationOptions {
  /** The media types to list in a 406 response. Defaults to the media types of the offers. */
  readonly listed?: readonly string[];
  /** The media types served under the path. A client that requests none of them gets this list in the 406 response. */
  readonly served?: readonly string[];
  /**
   * Whether headers are read as by kube-apiserver: a path is only found by one of its media types or by any type, names
   * must have the right case, and a weight of zero does not exclude a type.
   */
  readonly isLiteral?: boolean;
  /** Whether an offer that cannot be streamed is refused, even if a later entry of the header accepts another one. */
  readonly onlyStreams?: boolean;
}

/** Selects the representation of a response by the Accept header. Offers are in the server's order of preference. */
export class Negotiator<O extends Offer> {
  readonly #offers: readonly O[];
  readonly #options: NegotiationOptions;
  readonly #whenAny: Choice<O>;
  readonly #whenJson: Choice<O> | undefined;
  readonly #cache = new Map<string, Choice<O> | undefined>();

  constructor(offers: readonly [O, ...O[]], options: NegotiationOptions = {}) {
    this.#offers = offers;
    this.#options = options;
    const plain = offers.filter((offer) => offer.target === undefined);
    const json = plain.find((offer) => offer.mediaType === 'application/json');
    this.#whenAny = { offer: plain[0] ?? offers[0], pretty: false };
    this.#whenJson = json && { offer: json, pretty: false };
  }

  /** Throws a 406 error that lists the offered media types. */
  choose(accept: string | undefined): Choice<O> {
    const { isLiteral, served } = this.#options;
    if (isLiteral && served !== undefined && accept && !namesLiterally(accept, served)) throw notServed(served);
    const choice = this.find(accept);
    if (choice === undefined) throw this.#refusal(accept ?? '');
    return choice;
  }

  /** Returns undefined when the client accepts none of the offers. */
  find(accept: string | undefined): Choice<O> | undefined {
    if (accept === undefined || accept === '' || accept === '*/*') return this.#whenAny;
    if (accept === 'application/json') return this.#whenJson;
    const known = this.#cache.get(accept);
    if (known !== undefined || this.#cache.has(accept)) return known;
    const { isLiteral, onlyStreams } = this.#options;
    const found = isLiteral ? this.#first(parseAcceptLiterally(accept)) : this.#search(parseAccept(accept));
    const choice = onlyStreams && !found?.offer.streams ? undefined : found;
    if (this.#cache.size >= maxCachedHeaders) this.#cache.clear();
    this.#cache.set(accept, choice);
    return choice;
  }

  #search(clauses: readonly AcceptClause[]): Choice<O> | undefined {
    const refusals = clauses.filter(({ quality }) => quality === 0);
    for (const clause of clauses) {
      if (clause.quality === 0) break;
      const refused = (candidate: O) =>
        refusals.some((refusal) => isMoreSpecific(refusal, clause) && matches(refusal, candidate));
      const offer = this.#offers.find((candidate) => matches(clause, candidate) && !refused(candidate));
      if (offer !== undefined) return { offer, pretty: isPretty(clause) };
    }
    return undefined;
  }

  #first(clauses: readonly AcceptClause[]): Choice<O> | undefined {
    for (const clause of clauses) {
      const offer = this.#offers.find((candidate) => matches(clause, candidate));
      if (offer !== undefined) return { offer, pretty: isPretty(clause) };
    }
    return undefined;
  }

  #refusal(accept: string): StatusError {
    const { listed = [...new Set(this.#offers.map(({ mediaType }) => mediaType))], served } = this.#options;
    if (served !== undefined && !namesOneOf(accept, served)) return notServed(served);
    return notAcceptable(`only the following media types are accepted: ${listed.join(', ')}`);
  }
}

function isPretty({ parameters }: AcceptClause): boolean {
  return parameters.get('pretty') === '1';
}

// `application/json;q=0` excludes JSON from `*/*`, but `*/*;q=0` does not exclude it from `application/json`.
function isMoreSpecific(clause: AcceptClause, other: AcceptClause): boolean {
  return specificity(clause) > specificity(other);
}

function specificity({ type, subtype }: AcceptClause): number {
  return (type === '*' ? 0 : 1) + (subtype === '*' ? 0 : 1);
}

function namesOneOf(accept: string, served: readonly string[]): boolean {
  return accept.split(',').some((clause) => served.includes(clause.split(';', 1)[0]!.trim().toLowerCase()));
}

function namesLiterally(accept: string, served: readonly string[]): boolean {
  return accept.split(',').some((clause) => {
    const name = clause.split(';', 1)[0]!.trim();
    return name === '*/*' || served.includes(name);
  });
}

/** The error for a client that requests a media type not served under the path. */
function notServed(served: readonly string[]): StatusError {
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

/** Returns the media type of a body in lowercase, without parameters. A body without a content type is JSON. */
export function requestMediaType(contentType: string | undefined): string {
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return 'application/json';
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
