import { type EncodingName, type MediaType, mediaTypes, metaGroups } from '../codec/media-types.ts';
import { Negotiator, type Offer, requestMediaType } from '../codec/negotiation.ts';
import { unsupportedMediaType } from '../meta/status-error.ts';
import { ObjectEncoding } from './responses/object-encoding.ts';

/** A media type in which objects are served. */
export interface ObjectOffer extends Offer {
  readonly encoding: ObjectEncoding;
  /** The media type of a streamed response. */
  readonly streamType: string;
}

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
  readonly #supported: readonly EncodingName[];
  readonly #encodings: ReadonlyMap<EncodingName, ObjectEncoding>;
  readonly #bodies: ReadonlyMap<string, EncodingName>;

  constructor(supported: readonly EncodingName[], general?: ObjectFormats) {
    this.#supported = supported;
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
    const offered = (offers: readonly ObjectOffer[]): [ObjectOffer, ...ObjectOffer[]] =>
      atLeastOne(withTargets(offers).filter(({ target, encoding }) => target !== undefined || isPlain(encoding.name)));
    this.objects = new Negotiator(offered(plain), served);
    const rowless = offered(plain).filter(({ target }) => target?.kind !== 'Table');
    this.rowless = new Negotiator(atLeastOne(rowless), served);
    const withStreams = allServed && { served: allServed };
    this.lists = new Negotiator(offered(plain), { listed: this.types, ...withStreams });
    this.streams = new Negotiator(offered(streams), { listed: this.streamTypes, ...withStreams });
    this.documents = new Negotiator(plain, served);
    const bodies = media.filter(({ encoding }) => isPlain(encoding));
    this.#bodies = new Map(bodies.flatMap(({ encoding, names }) => names.map((name) => [name, encoding] as const)));
    this.general = general ?? this;
    this.custom = general === undefined ? new ObjectFormats(supported, this) : this;
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
