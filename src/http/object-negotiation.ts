import { Negotiator, type Offer } from '../codec/negotiation.ts';

/** The kinds into which every object can be converted, in the group of Kubernetes and in that of the specification. */
const targets = ['meta.k8s.io', 'meta.svc.io'].flatMap((group) =>
  ['v1', 'v1beta1'].flatMap((version) =>
    ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].map((kind) => ({ group, version, kind })),
  ),
);

const plain: Offer = { mediaType: 'application/json', streams: true };
const offers: [Offer, ...Offer[]] = [plain, ...targets.map((target) => ({ ...plain, target }))];

/** The forms in which objects and lists are served. */
export const negotiator = new Negotiator(offers);

/** The same forms for watches. A refusal names the streams. */
export const streamNegotiator = new Negotiator(offers, { streams: true });

/** What a Status can be: it is never converted. */
export const statusNegotiator = new Negotiator([plain]);
