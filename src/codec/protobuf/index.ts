/**
 * Protobuf bytes to the values that the same object has in JSON: the envelope around every object, and the messages in
 * it as the schemas describe them. No defaults, no checks beyond the types, and only this direction: answers are JSON.
 */
export { decodeMessage } from './decode-message.ts';
export { readEnvelope } from './read-envelope.ts';
