import { type EncodingName, type MediaType, mediaTypes, metaGroups } from '../codec/media-types.ts';
import { type NegotiationOptions, Negotiator, type Offer, requestMediaType } from '../codec/negotiation.ts';
import { type Compatibility, specification } from '../meta/compatibility.ts';
import { unsupportedMediaType } from '../meta/status-error.ts';
import { ObjectEncoding } from './responses/object-encoding.ts';

/** A media type in which objects are served. */
export interface ObjectOffer extends Offer {
  readonly encoding: ObjectEncoding;
  /** The media type of a streamed response. */
  readonly streamType: string;
}

type FormatDecisions = Pick<Compatibility, 'standardNegotiation' | 'binaryTables'>;

/** The kinds that every object can be converted to. */
const targets = metaGroups.flatMap((group) =>
  ['v1', 'v1beta1'].flatMap((version) =>
    ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].map((kind) => ({ group, version, kind })),
  ),
);

/**
 * The encodings of request and response bodies that one server supports, and the representations of objects in them.
 */
export class ObjectFormats {
  /** Negotiates responses with one object. */
  readonly objects: Negotiator<ObjectOffer>;
  /** Negotiates responses with types that have no rows: everything but Table. */
  readonly rowless: Negotiator<ObjectOffer>;
  /**
   * Negotiates the response to a delete, which is mostly a Status. Tables in protobuf are refused, as in kube-apiserver,
   * because protobuf clients know no Table and the object cannot be deleted again.
   */
  readonly deletions: Negotiator<ObjectOffer>;
  /** Negotiates collections. Their paths also serve streams. */
  readonly lists: Negotiator<ObjectOffer>;
  readonly streams: Negotiator<ObjectOffer>;
  /** The offers without conversion. JSON is the first. */
  readonly plainOffers: readonly [ObjectOffer, ...ObjectOffer[]];
  /** Negotiates without conversion: for a Status and for discovery documents. */
  readonly documents: Negotiator<ObjectOffer>;
  /** The media types of objects, streams and bodies, as shown in errors. */
  readonly types: readonly string[];
  readonly streamTypes: readonly string[];
  /** The formats of types that have no protobuf form. Their metadata and Tables have one. */
  readonly custom: ObjectFormats;
  /** The formats of all other types, and of option objects. */
  readonly general: ObjectFormats;
  readonly #decisions: FormatDecisions;
  readonly #supported: readonly EncodingName[];
  readonly #encodings: ReadonlyMap<EncodingName, ObjectEncoding>;
  readonly #bodies: ReadonlyMap<string, EncodingName>;

  constructor(
    supported: readonly EncodingName[],
    { decisions = specification, general }: { decisions?: FormatDecisions; general?: ObjectFormats } = {},
  ) {
    this.#supported = supported;
    this.#decisions = decisions;
    const isPlain = (encoding: EncodingName): boolean => general === undefined || encoding !== 'protobuf';
    const media = mediaTypes.filter(({ encoding }) => supported.includes(encoding));
    const streamed = media.filter(({ stream }) => stream !== undefined);
    this.types = media.map(({ names: [name] }) => name);
    this.streamTypes = streamed.map(({ stream }) => stream!.errorName);
    const encodings =
      general === undefined
        ? new Map(supported.map((name) => [name, new ObjectEncoding(name)] as const))
        : general.#encodings;
    this.#encodings = encodings;
    const plainOffer = ({ encoding, stream }: MediaType, name: string): ObjectOffer => ({
      mediaType: name,
      encoding: encodings.get(encoding)!,
      streams: stream !== undefined,
      streamType: stream?.contentType(name) ?? name,
    });
    const plain = atLeastOne(media.flatMap((type) => type.names.map((name) => plainOffer(type, name))));
    this.plainOffers = plain;
    const streams = streamed.flatMap((type) =>
      [...type.names, ...(type.stream!.names ?? [])].map((name) => plainOffer(type, name)),
    );
    // Paths of custom types are not tied to media types, so every 406 lists the media types of the negotiated object.
    const allServed = general === undefined ? [...this.types, ...this.streamTypes] : undefined;
    const served = { listed: this.types, ...(allServed && { served: this.types }) };
    const isServed = ({ target, encoding: { name } }: ObjectOffer): boolean => {
      if (target === undefined) return isPlain(name);
      return decisions.binaryTables || target.kind !== 'Table' || name === 'json' || name === 'yaml';
    };
    const offered = (offers: readonly ObjectOffer[]): [ObjectOffer, ...ObjectOffer[]] =>
      atLeastOne(withTargets(offers).filter((offer) => isServed(offer)));
    this.objects = this.negotiator(offered(plain), served);
    const isTable = ({ target }: ObjectOffer): boolean => target?.kind === 'Table';
    const without = (isRefused: (offer: ObjectOffer) => boolean) =>
      this.negotiator(atLeastOne(offered(plain).filter((offer) => !isRefused(offer))), served);
    this.rowless = without(isTable);
    this.deletions = without((offer) => isTable(offer) && offer.encoding.name === 'protobuf');
    const withStreams = allServed && { served: allServed };
    this.lists = this.negotiator(offered(plain), { listed: this.types, ...withStreams });
    const ofStreams = { listed: this.streamTypes, ...withStreams };
    this.streams = decisions.standardNegotiation
      ? this.negotiator(offered(streams), ofStreams)
      : this.negotiator(offered(plain), { ...ofStreams, onlyStreams: true });
    this.documents = this.negotiator(plain, served);
    const bodies = media.filter(({ encoding }) => isPlain(encoding));
    this.#bodies = new Map(bodies.flatMap(({ encoding, names }) => names.map((name) => [name, encoding] as const)));
    this.general = general ?? this;
    this.custom = general === undefined ? new ObjectFormats(supported, { decisions, general: this }) : this;
  }

  /** A negotiator that reads headers as those of objects are read. */
  negotiator<O extends Offer>(offers: readonly [O, ...O[]], options: NegotiationOptions): Negotiator<O> {
    return new Negotiator(offers, { ...options, isLiteral: !this.#decisions.standardNegotiation });
  }

  supports(encoding: EncodingName): boolean {
    return this.#supported.includes(encoding);
  }

  /** The encoding of a request body. Throws the 415 that names the accepted media types. */
  bodyEncoding(contentType: string | undefined): EncodingName {
    const mediaType = requestMediaType(contentType);
    const encoding = this.#bodies.get(mediaType);
    if (encoding !== undefined) return encoding;
    const isOffered = this.plainOffers.some((offer) => offer.mediaType === mediaType);
    // All types of the server, except for a type that was just rejected here.
    const types = isOffered ? this.types.filter((type) => this.#bodies.has(type)) : this.types;
    const accepted = `accepted media types include: ${types.join(', ')}`;
    throw unsupportedMediaType(`the body of the request was in an unknown format - ${accepted}`);
  }
}

function withTargets(plain: readonly ObjectOffer[]): [ObjectOffer, ...ObjectOffer[]] {
  return atLeastOne([...plain, ...plain.flatMap((offer) => targets.map((target) => ({ ...offer, target })))]);
}

function atLeastOne(offers: readonly ObjectOffer[]): [ObjectOffer, ...ObjectOffer[]] {
  const [first, ...others] = offers;
  if (first === undefined) throw new RangeError('at least one encoding is required');
  return [first, ...others];
}
