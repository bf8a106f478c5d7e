import { decodeJson, rawBigInt } from '../codec/json/index.ts';

/** Parses a document without rounding long integers. Throws a DecodeError. */
export function parseExactJson(text: string | Buffer): unknown {
  return decodeJson(typeof text === 'string' ? Buffer.from(text) : text).value;
}

/** Encodes a value without rounding. Unlike responses, the text escapes only the characters that JSON requires. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, rawBigInt);
}
