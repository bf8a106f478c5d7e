import { decodeJson, rawBigInt } from '../codec/json/index.ts';

/** Parses a document without rounding long integers. Throws a DecodeError. */
export function parseExactJson(text: string | Buffer): unknown {
  return decodeJson(typeof text === 'string' ? Buffer.from(text) : text).value;
}

/** The opposite. Unlike that for clients, the text is readable: no character is escaped that need not be. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, rawBigInt);
}
