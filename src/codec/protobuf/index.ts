/**
 * Converts protobuf to the values that the same object has in JSON, and back: the envelope around every object, and the
 * messages in it as the schemas describe them. Applies no defaults and validates only types.
 */
export { decodeMessage } from './decode-message.ts';
export { encodeEnveloped, encodeMessage } from './encode-message.ts';
export { itemHead } from './item-head.ts';
export { readEnvelope } from './read-envelope.ts';
export { watchEventFrame, watchEventMessage } from './watch-event-message.ts';
export { envelopeHead, envelopeTail, type TypeMeta, writeEnvelope } from './write-envelope.ts';
