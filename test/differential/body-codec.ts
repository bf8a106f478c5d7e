import { exactJson, parseExactJson } from '../../src/recording/exact-json.ts';
import { isSame, type Json } from '../invariants/json.ts';
import { canonical, decodeEnvelope, encodeBody, mediaTypeOf, type Typed } from '../wire/peer-codecs.ts';

/** How a client encodes bodies and what it accepts. */
export interface BodyCodec {
  readonly accept: string;
  encode(body: Json, type: string): { readonly bytes: Buffer; readonly type: string };
  decode(bytes: Buffer, type: string): Json;
}

export const jsonBodies: BodyCodec = {
  accept: mediaTypeOf.json,
  encode: (body, type) => ({ bytes: Buffer.from(exactJson(body)), type }),
  decode: parsed,
};

/** Protobuf where it can say what the JSON says, and JSON elsewhere. */
export const protobufBodies: BodyCodec = {
  // Custom types have no protobuf.
  accept: `${mediaTypeOf.protobuf},${mediaTypeOf.json}`,
  encode: (body, type) => {
    const bytes = type === mediaTypeOf.json ? protobufOf(body as unknown as Typed) : undefined;
    return bytes === undefined ? jsonBodies.encode(body, type) : { bytes, type: mediaTypeOf.protobuf };
  },
  decode: (bytes, type) => (type === mediaTypeOf.protobuf ? canonicalBody(decodeEnvelope(bytes)) : parsed(bytes)),
};

/** The same object in the form that every encoding has. Other bodies remain as they are. */
export function canonicalBody(body: Json): Json {
  return (attempt(() => canonical(body as unknown as Typed)) as Json | undefined) ?? body;
}

/** Undefined unless the decoded bytes mean exactly the body: there are no unknown fields, wrong types or nulls. */
function protobufOf(body: Typed): Buffer | undefined {
  return attempt(() => {
    const whole = canonical(body);
    if (!isSame(whole, body)) return undefined;
    const bytes = encodeBody('protobuf', body);
    return isSame(canonical(decodeEnvelope(bytes)), whole) ? bytes : undefined;
  });
}

/** Kinds that are not built in, and values of wrong types, have no protobuf. */
function attempt<T>(convert: () => T): T | undefined {
  try {
    return convert();
  } catch {
    return undefined;
  }
}

function parsed(bytes: Buffer): Json {
  try {
    return parseExactJson(bytes) as Json;
  } catch {
    return bytes.toString();
  }
}
