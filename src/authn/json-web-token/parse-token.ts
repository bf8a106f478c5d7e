import { decodeJson } from '../../codec/json/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A decoded JSON Web Token. Nothing in it may be trusted before the signature is verified. */
export interface SignedToken {
  readonly header: Fields;
  readonly claims: Fields;
  /** The signed bytes. */
  readonly content: Buffer;
  readonly signature: Buffer;
}

/** Far longer than any valid token. */
const maxTokenLength = 64 * 1024;
const base64Url = /^[A-Za-z0-9_-]*$/;

/** Returns undefined when the text is not a JWT in compact serialization, in its canonical base64url encoding. */
export function parseToken(token: string): SignedToken | undefined {
  if (token.length > maxTokenLength) return undefined;
  const segments = token.split('.', 4);
  if (segments.length !== 3) return undefined;
  const [headerSegment = '', claimsSegment = '', signatureSegment = ''] = segments;
  const claims = decodeObject(claimsSegment);
  const header = claims && decodeObject(headerSegment);
  const signature = header && decodeBytes(signatureSegment);
  if (signature === undefined) return undefined;
  const content = Buffer.from(token.slice(0, headerSegment.length + 1 + claimsSegment.length), 'latin1');
  return { header: header!, claims: claims!, content, signature };
}

/** Objects with repeated keys are rejected, because decoders disagree about their values. */
function decodeObject(text: string): Fields | undefined {
  const bytes = decodeBytes(text);
  if (bytes === undefined) return undefined;
  try {
    const { value, duplicates } = decodeJson(bytes);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && duplicates.length === 0 ? (value as Fields) : undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
}

function decodeBytes(text: string): Buffer | undefined {
  if (!base64Url.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
