import { Negotiator } from '../codec/negotiation.ts';

/** The forms in which objects, lists and watches are served. */
export const negotiator = new Negotiator([{ mediaType: 'application/json', streams: true }]);
