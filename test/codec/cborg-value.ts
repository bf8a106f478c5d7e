import { decode, encode, type TagDecoder } from 'cborg';

/** What another encoder makes of a value: keys and strings are text, where the server writes byte strings. */
export function encodeWithCborg(value: unknown): Buffer {
  return Buffer.from(encode(value, { ignoreUndefinedProperties: true }));
}

/** The JSON form of what another decoder reads. */
export function decodeWithCborg(bytes: Buffer): unknown {
  return jsonOf(decode(bytes, { useMaps: true, tags }));
}

const tags: Readonly<Record<number, TagDecoder>> = {
  22: (content) => Buffer.from(content() as Uint8Array).toString('base64'),
  // The mark of CBOR itself.
  55799: (content) => content(),
};

function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(Array.from(value, ([key, element]) => [jsonOf(key), jsonOf(element)]));
}
